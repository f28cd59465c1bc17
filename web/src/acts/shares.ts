import type { Terms } from "@assay/protocol";

const BASIS_POINTS = 10_000n;

/** How the reward falls, in base units, when no verdict comes or it is UNDETERMINED; the odd unit is the seller's. */
export function noVerdictShares({
  reward,
  noVerdictSellerBps,
}: Pick<Terms, "reward" | "noVerdictSellerBps">): { seller: bigint; buyer: bigint } {
  const buyer = (reward * (BASIS_POINTS - BigInt(noVerdictSellerBps))) / BASIS_POINTS;
  return { seller: reward - buyer, buyer };
}
