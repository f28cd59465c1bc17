/** How much one client, and all of them together, may ask. */
export interface RateLimits {
  /** Requests per second of one client, on average. */
  readonly perClient: number;
  /** Requests per second of all clients together. */
  readonly total: number;
}

/** Seconds' worth of requests that may come at once. */
const BURST_SECONDS = 4;
/** Clients that are told apart at a time; the longest silent one is forgotten first. */
const MOST_CLIENTS = 10_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Milliseconds that the event loop may be late before readers are turned away: the bridge shares it. */
const MOST_LATE = 1_000;
/** Seconds after which who was turned away for that may ask again. */
const LATE_SECONDS = 2;

/** Admits requests by token buckets in bounded memory. */
export interface RateLimiter {
  /**
   * @param cost tokens that the request takes.
   * @param shared whether it counts towards the total too.
   * @returns seconds after which to ask again; 0 when the request is admitted.
   */
  admit(client: string, cost: number, shared: boolean): number;
}

/**
 * @param now a clock that never goes back, in milliseconds.
 * @param lateness how late the event loop is, in milliseconds.
 */
export function createRateLimiter(
  limits: RateLimits,
  now: () => number,
  lateness: () => number = () => 0,
): RateLimiter {
  const clients = new Map<string, Bucket>();
  const all: Bucket = { tokens: limits.total * BURST_SECONDS, filledAt: now() };

  function clientOf(client: string): Bucket {
    const known = clients.get(client);
    // Taken out and put back: the map's order is then that of the last request.
    clients.delete(client);
    const bucket = known ?? { tokens: limits.perClient * BURST_SECONDS, filledAt: now() };
    clients.set(client, bucket);
    const oldest = clients.keys().next();
    if (clients.size > MOST_CLIENTS && oldest.done !== true) clients.delete(oldest.value);
    return bucket;
  }

  function fill(bucket: Bucket, rate: number): void {
    const at = now();
    bucket.tokens = Math.min(rate * BURST_SECONDS, bucket.tokens + ((at - bucket.filledAt) / 1_000) * rate);
    bucket.filledAt = at;
  }

  return {
    admit(client, cost, shared) {
      const bucket = clientOf(client);
      fill(bucket, limits.perClient);
      if (bucket.tokens < cost) return secondsFor(cost - bucket.tokens, limits.perClient);
      if (shared) {
        if (lateness() > MOST_LATE) return LATE_SECONDS;
        fill(all, limits.total);
        if (all.tokens < cost) return secondsFor(cost - all.tokens, limits.total);
        all.tokens -= cost;
      }
      bucket.tokens -= cost;
      return 0;
    },
  };
}

function secondsFor(tokens: number, rate: number): number {
  return Math.max(1, Math.ceil(tokens / rate));
}
