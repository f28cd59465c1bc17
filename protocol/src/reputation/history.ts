import { ENDINGS, type Ending } from "./agreement-fact.ts";
import type { Stage } from "./stage.ts";

/**
 * Agreements of a party in one role, counted. Names and meanings are those of the index's `History`, which has no
 * `funded` (there it is the party's `boughtCount` or `soldCount`) and no `overdue` (which needs a clock).
 * All but these two count agreements that have ended.
 */
export interface HistoryCounts extends Readonly<Record<Ending, number>> {
  /** Paid in, those under way included. */
  readonly funded: number;
  /** The sum of all ways to end. */
  readonly ended: number;
  /** The seller had consented. */
  readonly accepted: number;
  /** Delivered in time: the escrow takes no late submission. */
  readonly submitted: number;
  /** Under way, accepted, and `deliverBy` is over without a submission. */
  readonly overdue: number;
}

/** What a party did in one role. Amounts are base units, times Unix seconds. */
export interface RoleHistory {
  readonly counts: HistoryCounts;
  /** Sum of the rewards paid in, those under way included. */
  readonly fundedVolume: bigint;
  /** Sum of the sellers' shares of ended agreements. */
  readonly sellerVolume: bigint;
  /** Sum of the buyers' shares of ended agreements. */
  readonly buyerVolume: bigint;
  /** How many different parties were on the other side. */
  readonly counterparties: number;
  /** How many agreements were with the one that was there most often. */
  readonly mostWithOneCounterparty: number;
  /** When the first of them was funded; null while there is none. */
  readonly firstFundedAt: number | null;
  /** When one of them was last funded or ended; null while there is none. */
  readonly lastChangedAt: number | null;
}

/** @param otherSide the role of the counterparty. */
export function historyOf(stages: readonly Stage[], otherSide: "buyer" | "seller"): RoleHistory {
  const ended = stages.flatMap(({ fact, end }) => (end === null ? [] : [{ fact, end }]));
  const withEach = new Map<string, number>();
  for (const { fact } of stages) withEach.set(fact[otherSide], (withEach.get(fact[otherSide]) ?? 0) + 1);
  return {
    counts: countsOf(stages),
    fundedVolume: sum(stages.map(({ fact }) => fact.reward)),
    sellerVolume: sum(ended.map(({ end }) => end.sellerAmount)),
    buyerVolume: sum(ended.map(({ fact, end }) => fact.reward - end.sellerAmount)),
    counterparties: withEach.size,
    mostWithOneCounterparty: Math.max(0, ...withEach.values()),
    firstFundedAt: extreme(stages, ({ fact }) => fact.fundedAt, Math.min),
    lastChangedAt: extreme(stages, ({ fact, end }) => end?.at ?? fact.fundedAt, Math.max),
  };
}

function countsOf(stages: readonly Stage[]): HistoryCounts {
  const count = (is: (stage: Stage) => boolean): number => stages.filter(is).length;
  const ends = ENDINGS.map((ending) => [ending, count(({ end }) => end?.as === ending)]);
  return {
    funded: stages.length,
    ended: count(({ end }) => end !== null),
    accepted: count(({ accepted, end }) => accepted && end !== null),
    submitted: count(({ submitted, end }) => submitted && end !== null),
    overdue: count(({ overdue }) => overdue),
    ...(Object.fromEntries(ends) as Record<Ending, number>),
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function extreme(
  stages: readonly Stage[],
  timeOf: (stage: Stage) => number,
  choose: (one: number, other: number) => number,
): number | null {
  return stages
    .map(timeOf)
    .reduce<number | null>((best, time) => (best === null ? time : choose(best, time)), null);
}
