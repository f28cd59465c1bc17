/** Bounds between which a rate that was not given is learned, in calls per second. */
const RATE = { lowest: 1, highest: 500 };
/** What a refusal leaves of the rate, and what a call that worked adds to it. */
const LESS = 0.7;
const MORE = 1.002;

/** Spreads calls over time, so that an endpoint is not asked faster than it answers. */
export interface TokenBucket {
  /** Takes a token. Returns the milliseconds to wait before the call that it is for. */
  take(): number;
  /** The endpoint said "too many": go slower. */
  slower(): void;
  /** A call worked: go a little faster, up to the limit. */
  faster(): void;
}

/**
 * A bucket that holds the tokens of one second.
 *
 * @param perSecond the endpoint's published limit; null when none is known: then nothing is held back until the
 *   endpoint objects, and from then on the rate is learned.
 * @param now a clock that never goes back, in milliseconds.
 */
export function createTokenBucket(perSecond: number | null, now: () => number): TokenBucket {
  const highest = perSecond ?? RATE.highest;
  let rate = perSecond;
  let tokens = perSecond ?? 0;
  let filledAt = now();
  /** Calls of the current second, from which an unknown limit is first guessed. */
  let second = { from: filledAt, calls: 0 };

  function count(): void {
    const at = now();
    if (at - second.from >= 1_000) second = { from: at, calls: 0 };
    second.calls++;
  }

  return {
    take() {
      count();
      if (rate === null) return 0;
      const at = now();
      tokens = Math.min(Math.max(1, rate), tokens + ((at - filledAt) / 1_000) * rate);
      filledAt = at;
      tokens -= 1;
      return tokens >= 0 ? 0 : Math.ceil((-tokens / rate) * 1_000);
    },
    slower() {
      rate = Math.max(RATE.lowest, Math.min(highest, (rate ?? second.calls) * LESS));
      tokens = Math.min(tokens, 0);
      filledAt = now();
    },
    faster() {
      if (rate !== null) rate = Math.min(highest, rate * MORE);
    },
  };
}
