/** A chain, as far as its endpoints are concerned. */
export type ProviderChain = "evm" | "genlayer";

/** What an endpoint is good for now. Only one that is alive or not yet tried is asked for what leads to money. */
export const PROVIDER_STATUSES = [
  /** Not asked yet. */
  "unknown",
  /** Answers, for the right chain, at the height of the others. */
  "alive",
  /** Failed several times in a row; tried again now and then. */
  "unreachable",
  /** Answers for another chain. Left alone until it answers for the right one. */
  "wrongChain",
  /** Trails the highest of its fellows by more than a few blocks. */
  "outOfSync",
  /** Its newest block has been the same for minutes. */
  "standingStill",
] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

/** One endpoint, as its pool sees it. Origins only: paths and query strings hold keys. */
export interface ProviderState {
  readonly chain: ProviderChain;
  readonly provider: string;
  readonly status: ProviderStatus;
  /** Newest block that it announced; null when it announced none. */
  readonly height: number | null;
  /** Failed calls since the last one that worked. */
  readonly failures: number;
  /** Wall clock, milliseconds, until which it is left alone because it asked for that; null when it did not. */
  readonly pausedUntil: number | null;
}

/** How a call ended: an answer, an error object, "too many requests", or nothing usable. */
export type CallOutcome = "answered" | "refused" | "limited" | "failed";

/** One call to one endpoint. */
export interface RpcCall {
  readonly chain: ProviderChain;
  readonly provider: string;
  readonly method: string;
  readonly outcome: CallOutcome;
  /** From sending to the answer, without what a rate limit held it back before. */
  readonly seconds: number;
}

/** Told of every call to every endpoint. Must not throw. */
export type ObserveCall = (call: RpcCall) => void;
