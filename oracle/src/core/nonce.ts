/**
 * Nonces for the next transactions of an account: the lowest from the chain's count up that no intent in flight holds.
 * The chain is the floor, so a counter can't drift above it; what was given up leaves a hole that is filled first.
 */
export function freeNonces(chainNonce: number, held: readonly number[], count: number): readonly number[] {
  const taken = new Set(held);
  const free: number[] = [];
  for (let nonce = chainNonce; free.length < count; nonce++) if (!taken.has(nonce)) free.push(nonce);
  return free;
}

/**
 * The hole that keeps a transaction from ever getting into a block: the nonce that the chain waits for, when it is
 * below `own` and no intent in flight holds it. Null when there is none.
 */
export function gapBelow(own: number, chainNonce: number, held: readonly number[]): number | null {
  return chainNonce < own && !held.includes(chainNonce) ? chainNonce : null;
}

/** Milliseconds since a time; a clock that was set back leaves a time in the future, which counts as long ago. */
export function elapsed(now: number, then: number): number {
  return now < then ? Number.POSITIVE_INFINITY : now - then;
}
