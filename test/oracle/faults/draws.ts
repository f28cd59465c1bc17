/**
 * Chance that depends on nothing but the seed and what it is about: the same question gets the same answer, in whatever
 * order questions are asked.
 */
export interface Draws {
  /** From 0 up to, not including, 1. */
  chance(...about: readonly (string | number)[]): number;
  /** Whether something of this probability happens. */
  happens(probability: number, ...about: readonly (string | number)[]): boolean;
  /** An integer from `lowest` to `highest`. */
  integer(lowest: number, highest: number, ...about: readonly (string | number)[]): number;
  pick<T>(from: readonly T[], ...about: readonly (string | number)[]): T;
}

export function createDraws(seed: number): Draws {
  const chance = (...about: readonly (string | number)[]) => hashOf(`${seed}|${about.join("|")}`);
  const integer = (lowest: number, highest: number, ...about: readonly (string | number)[]) =>
    lowest + Math.floor(chance(...about) * (highest - lowest + 1));
  return {
    chance,
    happens: (probability, ...about) => probability > 0 && chance(...about) < probability,
    integer,
    pick: (from, ...about) => from[integer(0, from.length - 1, ...about)]!,
  };
}

/** Two multiplicative hashes of the text, mixed into 53 bits. */
function hashOf(text: string): number {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2_654_435_761);
    other = Math.imul(other ^ code, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & other) + (one >>> 0)) / 2 ** 53;
}
