import type { Totals } from "@assay/subgraph";

/** Whether the escrow can pay everybody, and whether its books add up. Amounts are base units. */
export interface Solvency {
  /** What it owes: rewards of live agreements, and credits. */
  readonly owed: bigint;
  /** What it holds beyond that; negative when it lacks some. */
  readonly surplus: bigint;
  readonly isSolvent: boolean;
  /** What came in less what went out is what is owed. */
  readonly doBooksAddUp: boolean;
}

/** @param holdings the escrow's balance, read at about the same block as the books. */
export function solvencyOf(
  { fundedTotal, paidOutTotal, lockedReward, openCredits }: Totals,
  holdings: bigint,
): Solvency {
  const owed = lockedReward + openCredits;
  return {
    owed,
    surplus: holdings - owed,
    isSolvent: holdings >= owed,
    doBooksAddUp: fundedTotal - paidOutTotal === owed,
  };
}
