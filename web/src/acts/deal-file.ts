import type { Agreement, Hex, Terms } from "@assay/protocol";
import type { Venue } from "./venue.ts";

/** Text of a deal file, as the command line reads and writes it (`assay/deal/1`). */
export function dealFileOf(
  {
    agreementId,
    terms,
    agreement,
  }: { readonly agreementId: Hex; readonly terms: Terms; readonly agreement: Agreement },
  { chainId, escrow, quorum }: Venue,
): string {
  const deal = {
    schema: "assay/deal/1",
    agreementId,
    chainId,
    escrow,
    terms: { ...terms, reward: terms.reward.toString(), salt: terms.salt.toString() },
    quorum: { members: quorum.members, threshold: quorum.threshold },
    agreement,
  };
  return `${JSON.stringify(deal, null, 2)}\n`;
}
