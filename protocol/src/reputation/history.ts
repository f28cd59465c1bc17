import { ENDINGS, type Ending } from "./agreement-fact.ts";
import type { Stage } from "./stage.ts";

/**
 * Agreements of a party in one role, counted. Names and meanings are those of the index's `History`; only there
 * `concededBySeller` includes `declined`.
 */
export interface HistoryCounts extends Readonly<Record<Ending, number>> {
  readonly funded: number;
  /** The seller consented. */
  readonly accepted: number;
  /** Delivered in time: the escrow takes no late submission. */
  readonly submitted: number;
  /** Not ended. */
  readonly live: number;
  /** Live, accepted, and `deliverBy` is over without a submission. */
  readonly overdue: number;
}

/** What a party did in one role. Amounts are base units, times Unix seconds. */
export interface RoleHistory {
  readonly counts: HistoryCounts;
  /** Sum of the rewards paid in. */
  readonly fundedVolume: bigint;
  /** Sum of the sellers' shares of ended agreements. */
  readonly sellerVolume: bigint;
  /** Sum of the buyers' shares of ended agreements. */
  readonly buyerVolume: bigint;
  /** How many different parties were on the other side. */
  readonly counterparties: number;
  /** How many agreements were with the one that was there most often. */
  readonly mostWithOneCounterparty: number;
  /** Null without any agreement. */
  readonly firstEventAt: number | null;
  readonly lastEventAt: number | null;
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
    firstEventAt: extreme(stages, ({ fact }) => fact.fundedAt, Math.min),
    lastEventAt: extreme(stages, ({ lastEventAt }) => lastEventAt, Math.max),
  };
}

function countsOf(stages: readonly Stage[]): HistoryCounts {
  const count = (is: (stage: Stage) => boolean): number => stages.filter(is).length;
  const ends = ENDINGS.map((ending) => [ending, count(({ end }) => end?.as === ending)]);
  return {
    funded: stages.length,
    accepted: count(({ accepted }) => accepted),
    submitted: count(({ submitted }) => submitted),
    live: count(({ end }) => end === null),
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
