import {
  SettlementError,
  isEcdsaSignedBy,
  isSameAddress,
  readSettlement,
  settlementTypedData,
  typedDataDigest,
  type Address,
  type Hex,
  type Settlement,
  type Terms,
} from "@assay/protocol";

/** What a settlement has to be about. */
export interface SettlementSubject {
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
  readonly terms: Terms;
}

/**
 * Reads a settlement that the other side made.
 *
 * @throws Error in words when it is none, is about something else, or holds a signature that is not the signer's.
 */
export function settlementFor(text: string, subject: SettlementSubject): Settlement {
  const settlement = parse(text);
  if (settlement.agreementId !== subject.agreementId)
    throw new Error("This settlement is about another agreement.");
  if (settlement.chainId !== subject.chainId || !isSameAddress(settlement.escrow, subject.escrow))
    throw new Error("This settlement is about another escrow.");
  if (settlement.sellerAmount > subject.terms.reward)
    throw new Error("This settlement gives the seller more than there is.");
  const { buyer, seller } = subject.terms;
  requireSignature(settlement, settlement.buyerSignature, buyer, "buyer");
  requireSignature(settlement, settlement.sellerSignature, seller, "seller");
  return settlement;
}

/** Whether a signature of usual length is the account's; those of contracts only the chain can tell. */
function requireSignature(
  settlement: Settlement,
  signature: Hex | null,
  account: Address,
  role: string,
): void {
  if (signature?.length !== 132) return;
  const { agreementId, sellerAmount, chainId, escrow } = settlement;
  const digest = typedDataDigest(settlementTypedData(agreementId, sellerAmount, chainId, escrow));
  if (!isEcdsaSignedBy(account, digest, signature))
    throw new Error(`The ${role}’s signature on this settlement is not valid.`);
}

function parse(text: string): Settlement {
  try {
    return readSettlement(text);
  } catch (error) {
    if (!(error instanceof SettlementError)) throw error;
    throw new Error("This is no settlement. Paste the whole text that the other side saved, from { to }.", {
      cause: error,
    });
  }
}
