/** After how many seconds (90 days) an agreement weighs half. */
export const HALF_LIFE_SECONDS = 90 * 24 * 60 * 60;

/** The weight of what happens right now; weights are integers, in parts of it. */
export const FULL_WEIGHT = 1_000_000_000n;

/** Half-lives after which less than one part is left. */
const FORGOTTEN_AFTER = 30n;

/**
 * How much something that happened `ageSeconds` ago still weighs: half after each half-life, on a straight line
 * between, rounded down. An age below zero counts as zero.
 *
 * With h whole half-lives and r seconds left over: `⌊FULL_WEIGHT · (2·H − r) / (2·H · 2^h)⌋`.
 */
export function recencyWeight(ageSeconds: number): bigint {
  const age = BigInt(Math.max(ageSeconds, 0));
  const halfLife = BigInt(HALF_LIFE_SECONDS);
  const [halvings, rest] = [age / halfLife, age % halfLife];
  // From here on the formula gives 0; its power of two would only grow out of all bounds.
  if (halvings >= FORGOTTEN_AFTER) return 0n;
  return (FULL_WEIGHT * (2n * halfLife - rest)) / ((2n * halfLife) << halvings);
}
