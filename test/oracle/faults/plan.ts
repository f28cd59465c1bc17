import { dealsOf, type Deal } from "./deals.ts";
import { createDraws, type Draws } from "./draws.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A stretch of time, in milliseconds after the start. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Probabilities with which one request to one endpoint goes wrong. */
export interface RequestFaults {
  readonly error: number;
  readonly limited: number;
  readonly garbage: number;
  readonly hang: number;
}

/** Everything that goes wrong under one seed. Trouble ends at `calmAt`; what is decided by then is judged by the chain. */
export interface FaultPlan {
  readonly seed: number;
  readonly draws: Draws;
  readonly operators: number;
  /** EVM endpoints of each operator. */
  readonly endpoints: number;
  readonly pollMilliseconds: number;
  readonly blockMilliseconds: number;
  readonly finalityDepth: number;
  readonly calmAt: number;
  readonly deals: readonly Deal[];
  readonly evm: RequestFaults & {
    /** Endpoints that trail, and by how many blocks at most. */
    readonly lag: number;
    readonly nullReceipts: number;
    readonly missingLogs: number;
    readonly duplicateLogs: number;
    readonly unorderedLogs: number;
    /** Widest range of a log request; null for any. */
    readonly widestRange: number | null;
    /** Each operator's first endpoint answers for another chain then. */
    readonly wrongChain: Stretch | null;
    /** Each operator's last endpoint invents receipts and nonces then. */
    readonly lies: Stretch | null;
  };
  readonly genLayer: RequestFaults & {
    /** Endpoints of each operator. */
    readonly endpoints: number;
    readonly nullReceipts: number;
    readonly unknownTransactions: number;
    readonly oddStatuses: number;
    readonly down: Stretch | null;
    readonly millisecondsPerLook: number;
    /** The network is reset then, and comes back empty. */
    readonly resetAt: number | null;
  };
  /** Probability that a database call fails, before or after it took effect. */
  readonly database: number;
  /** Probability of a kill at a boundary, and kills at any other moment. */
  readonly boundaryKills: number;
  readonly kills: readonly { readonly operator: number; readonly at: number }[];
  readonly reorgs: readonly { readonly at: number; readonly depth: number }[];
  readonly deepReorgAt: number | null;
  readonly clocks: readonly (Stretch & { readonly operator: number; readonly by: number })[];
  readonly partition: (Stretch & { readonly operator: number }) | null;
  readonly peers: RequestFaults;
  /** An operator that publishes lies under its own name for as long as the world lasts. */
  readonly liar: "outcome" | "garbage" | "foreign signature" | null;
  readonly burns: readonly { readonly operator: number; readonly at: number }[];
  readonly mempoolDrops: readonly number[];
  /** Nothing that pays less than five times the usual price gets into a block then. */
  readonly feeSpike: Stretch | null;
}

const NO_FAULTS: RequestFaults = { error: 0, limited: 0, garbage: 0, hang: 0 };

/** What one seed chooses. */
export function planOf(seed: number): FaultPlan {
  const draws = createDraws(seed);
  const calmAt = draws.integer(2, 5, "calm") * MINUTE;
  const time = (...about: string[]) => draws.integer(10 * SECOND, calmAt - 10 * SECOND, "time", ...about);
  const stretch = (what: string, longest = 3 * MINUTE): Stretch => {
    const from = time(what, "from");
    return { from, to: Math.min(calmAt, from + draws.integer(20 * SECOND, longest, what, "length")) };
  };
  const sometimes = <T>(probability: number, what: string, make: () => T): T | null =>
    draws.happens(probability, "whether", what) ? make() : null;
  const several = <T>(probability: number, most: number, what: string, make: (nth: number) => T): T[] =>
    draws.happens(probability, "whether", what)
      ? Array.from({ length: draws.integer(1, most, what, "count") }, (_none, nth) => make(nth))
      : [];
  const rate = (probability: number, highest: number, what: string): number =>
    draws.happens(probability, "whether", what) ? draws.chance(what, "rate") * highest : 0;
  const requests = (what: string): RequestFaults => ({
    error: rate(0.6, 0.3, `${what} error`),
    limited: rate(0.3, 0.1, `${what} limited`),
    garbage: rate(0.3, 0.1, `${what} garbage`),
    hang: rate(0.3, 0.05, `${what} hang`),
  });
  const operators = 3;
  const operator = (what: string, nth: number) => draws.integer(0, operators - 1, what, "operator", nth);
  const finalityDepth = draws.integer(2, 8, "finality");
  const deals = dealsOf(draws, operators);

  return {
    seed,
    draws,
    operators,
    endpoints: draws.pick([2, 3, 3], "endpoints"),
    pollMilliseconds: draws.pick([4_000, 6_000, 8_000], "poll"),
    blockMilliseconds: draws.pick([4_000, 6_000, 12_000], "block"),
    finalityDepth,
    calmAt,
    deals,
    evm: {
      ...requests("evm"),
      lag: draws.happens(0.5, "whether lag") ? draws.integer(1, 6, "lag") : 0,
      nullReceipts: rate(0.4, 0.7, "null receipts"),
      missingLogs: rate(0.4, 0.4, "missing logs"),
      duplicateLogs: rate(0.4, 0.5, "duplicate logs"),
      unorderedLogs: rate(0.4, 0.5, "unordered logs"),
      widestRange: sometimes(0.3, "range", () => draws.pick([1, 3, 10, 50], "widest")),
      wrongChain: sometimes(0.2, "wrong chain", () => stretch("wrong chain")),
      lies: sometimes(0.2, "lies", () => stretch("lies")),
    },
    genLayer: {
      ...requests("genlayer"),
      endpoints: deals[0]?.kind === "agreement" ? 1 : draws.pick([1, 2], "judge endpoints"),
      nullReceipts: rate(0.4, 0.7, "judge receipts"),
      unknownTransactions: rate(0.3, 0.5, "unknown transactions"),
      oddStatuses: rate(0.3, 0.4, "odd statuses"),
      down: sometimes(0.3, "down", () => stretch("down")),
      millisecondsPerLook: draws.integer(5, 25, "judging") * SECOND,
      resetAt: sometimes(0.1, "reset", () => time("reset")),
    },
    database: rate(0.25, 0.002, "database"),
    boundaryKills: rate(0.4, 0.02, "boundary kills"),
    kills: several(0.4, 3, "kills", (nth) => ({
      operator: operator("kills", nth),
      at: time("kill", `${nth}`),
    })),
    reorgs: several(0.5, 4, "reorgs", (nth) => ({
      at: time("reorg", `${nth}`),
      depth: draws.integer(1, finalityDepth, "depth", nth),
    })),
    deepReorgAt: sometimes(0.08, "deep reorg", () => time("deep reorg")),
    clocks: several(0.3, 3, "clocks", (nth) => ({
      ...stretch(`clock ${nth}`),
      operator: operator("clock", nth),
      by: draws.pick([-3_600, -90, 90, 3_600], "clock", nth) * SECOND,
    })),
    partition: sometimes(0.3, "partition", () => ({
      ...stretch("partition"),
      operator: operator("partition", 0),
    })),
    peers: draws.happens(0.5, "whether peers") ? requests("peers") : NO_FAULTS,
    liar: sometimes(0.15, "liar", () =>
      draws.pick(["outcome", "garbage", "foreign signature"] as const, "lie"),
    ),
    burns: several(0.3, 3, "burns", (nth) => ({
      operator: operator("burns", nth),
      at: time("burn", `${nth}`),
    })),
    mempoolDrops: several(0.3, 3, "drops", (nth) => time("drop", `${nth}`)),
    feeSpike: sometimes(0.25, "spike", () => stretch("spike")),
  };
}

/** Whether something in the plan makes it right to leave an agreement to its clocks. */
export function leavesDoubt({ liar, genLayer, deepReorgAt }: FaultPlan): boolean {
  return liar === "outcome" || genLayer.resetAt !== null || deepReorgAt !== null;
}
