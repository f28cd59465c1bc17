import type { Address } from "../primitives/address.ts";
import type { Rate } from "./rate.ts";
import type { Rates } from "./rates.ts";
import type { Reputation } from "./reputation.ts";

/** What a buyer demands of a seller's history. Shares are basis points. */
export interface HirePolicy {
  /** The seller's rate of completion has to be at least this. */
  readonly thresholdBps: number;
  /** The lower end of its 95 % interval has to be at least this: few agreements leave it low. */
  readonly floorBps: number;
  /** At least so many agreements have to count. */
  readonly minimumEvidence: number;
  /** How agreements are weighted: by age, all alike, or by their rewards. */
  readonly basis: keyof Rates;
}

/** Demands that suit a buyer who does not know better: 7 of 10, more likely right than not, at least three. */
export const DEFAULT_HIRE_POLICY: HirePolicy = {
  thresholdBps: 7_000,
  floorBps: 5_000,
  minimumEvidence: 3,
  basis: "recent",
};

/** The answer; `INSUFFICIENT_EVIDENCE` is neither praise nor blame, and no reason to hire. */
export const HIRE_DECISIONS = ["HIRE", "DECLINE", "INSUFFICIENT_EVIDENCE"] as const;

/** A decision with everything that it rests on. */
export interface HireDecision {
  readonly decision: (typeof HIRE_DECISIONS)[number];
  readonly seller: Address;
  /** Sentences in the order of their weight; the first one decided. */
  readonly reasons: readonly string[];
  /** What does not decide and should be known. */
  readonly cautions: readonly string[];
  readonly policy: HirePolicy;
  readonly completion: Rate;
  /** How many of the seller's agreements count for the rate. */
  readonly evidence: number;
}

/** Decides whether a history is good enough. A pure function of the reputation and the demands. */
export function hireDecision(reputation: Reputation, policy: HirePolicy = DEFAULT_HIRE_POLICY): HireDecision {
  const { counts, completion: rates, counterparties, mostWithOneCounterparty } = reputation.asSeller;
  const completion = rates[policy.basis];
  const missed = counts.noShows + counts.overdue;
  const failed = counts.failed + counts.withheld + counts.concededBySeller;
  const evidence = counts.passed + failed + missed;
  const told = `${counts.passed} passed, ${failed} failed or given up, ${missed} not delivered`;
  const interval = `${percent(completion.lowBps)} to ${percent(completion.highBps)}`;
  const decide = (decision: HireDecision["decision"], ...reasons: string[]): HireDecision => ({
    decision,
    seller: reputation.party,
    reasons: [...reasons, `Counted: ${agreements(evidence)}; ${told}.`],
    cautions: cautionsOf(counts.overdue, counterparties, mostWithOneCounterparty, counts.funded),
    policy,
    completion,
    evidence,
  });

  if (completion.bps === null || evidence === 0)
    return decide("INSUFFICIENT_EVIDENCE", "No agreement of this seller says anything yet.");
  if (completion.bps < policy.thresholdBps)
    return decide(
      "DECLINE",
      `It completes ${percent(completion.bps)} (${interval}), below the ${percent(policy.thresholdBps)} demanded.`,
    );
  if (evidence < policy.minimumEvidence)
    return decide(
      "INSUFFICIENT_EVIDENCE",
      `Only ${agreements(evidence)} can be counted; ${policy.minimumEvidence} are demanded.`,
    );
  if (completion.lowBps < policy.floorBps)
    return decide(
      "INSUFFICIENT_EVIDENCE",
      `It completes ${percent(completion.bps)}, but with this little evidence it could be ${percent(completion.lowBps)}, below the ${percent(policy.floorBps)} demanded at least.`,
    );
  return decide(
    "HIRE",
    `It completes ${percent(completion.bps)} (${interval}), at or above the ${percent(policy.thresholdBps)} demanded.`,
  );
}

function cautionsOf(
  overdue: number,
  counterparties: number,
  mostWithOneCounterparty: number,
  funded: number,
): string[] {
  const cautions: string[] = [];
  if (overdue > 0) cautions.push(`Overdue right now: ${agreements(overdue)} that it had accepted.`);
  if (funded > 1 && counterparties === 1)
    cautions.push("All of it was with one buyer, who may be the same person.");
  else if (counterparties > 1 && 2 * mostWithOneCounterparty > funded)
    cautions.push(`${mostWithOneCounterparty} of ${funded} agreements were with one and the same buyer.`);
  return cautions;
}

function agreements(count: number): string {
  return `${count} agreement${count === 1 ? "" : "s"}`;
}

function percent(bps: number): string {
  return `${bps / 100}%`;
}
