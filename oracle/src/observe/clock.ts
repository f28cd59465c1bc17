/** Where time comes from. Deadlines of agreements use chain time instead; this one paces polling and marks history. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
