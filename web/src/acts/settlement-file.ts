import {
  isEcdsaSignedBy,
  isSameAddress,
  parseStrict,
  settlementTypedData,
  toAddress,
  toHash,
  typedDataDigest,
  type Address,
  type Hex,
  type Terms,
} from "@assay/protocol";

/** A split that one or both sides have signed; it passes between them as a text, here and on the command line. */
export interface Settlement {
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
  /** Base units. */
  readonly sellerAmount: bigint;
  readonly buyerSignature: Hex | null;
  readonly sellerSignature: Hex | null;
}

/** What a settlement has to be about. */
export interface SettlementSubject {
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementId: Hex;
  readonly terms: Terms;
}

const TAG = "assay/settlement/1";

/** Text of a settlement (`assay/settlement/1`). */
export function writeSettlement({ sellerAmount, ...rest }: Settlement): string {
  return `${JSON.stringify({ schema: TAG, ...rest, sellerAmount: sellerAmount.toString() }, null, 2)}\n`;
}

/**
 * Reads a settlement that the other side made.
 *
 * @throws Error in words when it is none, is about something else, or holds a signature that is not the signer's.
 */
export function readSettlement(text: string, subject: SettlementSubject): Settlement {
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
    const value = parseStrict(text.trim()) as Record<string, unknown>;
    const { schema, chainId, escrow, agreementId, sellerAmount, buyerSignature, sellerSignature } = value;
    if (schema !== TAG || !Number.isSafeInteger(chainId) || !/^(0|[1-9]\d{0,77})$/.test(String(sellerAmount)))
      throw new Error("wrong shape");
    return {
      chainId: chainId as number,
      escrow: toAddress(String(escrow)),
      agreementId: toHash(String(agreementId)),
      sellerAmount: BigInt(sellerAmount as string),
      buyerSignature: signatureIn(buyerSignature),
      sellerSignature: signatureIn(sellerSignature),
    };
  } catch (error) {
    throw new Error("This is no settlement. Paste the whole text that the other side saved, from { to }.", {
      cause: error,
    });
  }
}

function signatureIn(value: unknown): Hex | null {
  if (value === null) return null;
  if (typeof value !== "string" || !/^0x([0-9a-fA-F]{2})+$/.test(value)) throw new Error("wrong signature");
  return value.toLowerCase() as Hex;
}
