/** Seconds' worth of requests that may come at once. */
const BURST_SECONDS = 2;
/** Clients that are told apart at a time; the longest silent one is forgotten first. */
const MOST_CLIENTS = 10_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Admits the requests of each client by a token bucket, in bounded memory. */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  readonly #clients = new Map<string, Bucket>();

  /** @param now a clock in milliseconds that never goes back. */
  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#burst = Math.max(1, perSecond * BURST_SECONDS);
    this.#now = now;
  }

  /** Takes a token; seconds after which to ask again when there is none, else 0. */
  admit(client: string): number {
    const now = this.#now();
    const bucket = this.#clients.get(client) ?? { tokens: this.#burst, filledAt: now };
    // Taken out and put back: the map's order is then that of the last request.
    this.#clients.delete(client);
    this.#clients.set(client, bucket);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > MOST_CLIENTS && oldest !== undefined) this.#clients.delete(oldest);
    bucket.tokens = Math.min(this.#burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * this.#perSecond);
    bucket.filledAt = now;
    if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / this.#perSecond);
    bucket.tokens -= 1;
    return 0;
  }
}
