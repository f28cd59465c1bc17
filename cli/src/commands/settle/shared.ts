import { settlementTypedData, type Address, type Hex, type Settlement } from "@assay/protocol";
import { RefusedError, UsageError } from "../../errors.ts";
import type { Session } from "../../session.ts";
import { signatureBy } from "../../typed-data.ts";
import type { Wallet } from "../../wallet/signer.ts";
import { partyOf } from "../agreement/simple-call.ts";
import type { OpenedDeal } from "../../deal/open-deal.ts";

/** What both sides sign. */
export function settlementData({ network }: Session, { agreementId, sellerAmount }: Settlement) {
  return settlementTypedData(agreementId, sellerAmount, network.chainId, network.escrow);
}

/** @throws UsageError when the settlement is about another agreement, or counts on another network. */
export function requireSame(settlement: Settlement, { agreementId }: OpenedDeal, { network }: Session): void {
  if (
    settlement.agreementId === agreementId &&
    settlement.chainId === network.chainId &&
    settlement.escrow === network.escrow
  )
    return;
  throw new UsageError(
    `the settlement is about agreement ${settlement.agreementId} in ${settlement.escrow} on chain ${settlement.chainId}`,
    "Use it with that network.",
  );
}

/** The settlement with one more signature: the wallet's, or the one that was handed in for `side`. */
export async function signedBy(
  session: Session,
  deal: OpenedDeal,
  settlement: Settlement,
  {
    wallet,
    given,
    as,
  }: { wallet: Wallet | null; given: Hex | undefined; as: "buyer" | "seller" | undefined },
): Promise<Settlement> {
  const side = as ?? partyOf(deal.terms, wallet?.address);
  if (side === null)
    throw wallet === null
      ? new UsageError(
          "nobody signs",
          "Name a wallet with --wallet, or the side whose --signature it is with --as.",
        )
      : new RefusedError(
          "CallerNotParty",
          `wallet ${wallet.name} is ${wallet.address}, neither the buyer nor the seller`,
          `Use the wallet of ${deal.terms.buyer} or ${deal.terms.seller}.`,
        );
  const signer: Address = deal.terms[side];
  const signature = await signatureBy(signer, settlementData(session, settlement), {
    given,
    wallet,
    node: session.node,
  });
  return side === "buyer"
    ? { ...settlement, buyerSignature: signature }
    : { ...settlement, sellerSignature: signature };
}

/** Which signatures a settlement has, in words. */
export function signaturesInWords({ buyerSignature, sellerSignature }: Settlement): string {
  if (buyerSignature !== null && sellerSignature !== null) return "signed by both sides";
  if (buyerSignature !== null) return "signed by the buyer; the seller's signature is missing";
  if (sellerSignature !== null) return "signed by the seller; the buyer's signature is missing";
  return "signed by nobody";
}
