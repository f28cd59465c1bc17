/** An instant from chain time. */
export function fromSeconds(seconds: number): string {
  // The contract's 48 bits reach further than `Date` does.
  return new Date(Math.min(seconds * 1_000, 8.64e15)).toISOString();
}

/** An instant from wall-clock time. */
export function fromMilliseconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
