import { type Tally, type Rate, rateOf } from "./rate.ts";
import { FULL_WEIGHT, recencyWeight } from "./recency.ts";
import type { Sample } from "./sample.ts";

/** One rate, weighted in three ways. */
export interface Rates {
  /** Every agreement weighs one. */
  readonly all: Rate;
  /** An agreement weighs less the longer ago it was; its interval widens with age too. */
  readonly recent: Rate;
  /** An agreement weighs its reward; the interval widens when few rewards dwarf the others. */
  readonly byVolume: Rate;
}

/** @param at the moment (Unix time) that ages are counted to. */
export function ratesOf(samples: readonly Sample[], at: number): Rates {
  return {
    all: rateOf(
      weigh(
        samples,
        () => 1n,
        ({ total }) => total,
      ),
    ),
    // An old agreement counts as a part of one: there are as many observations as full weights.
    recent: rateOf(
      weigh(
        samples,
        (sample) => recencyWeight(at - sample.at),
        ({ total }) => total * FULL_WEIGHT,
      ),
    ),
    // The usual effective size of a weighted sample (Kish): (Σw)² / Σw².
    byVolume: rateOf(
      weigh(
        samples,
        ({ reward }) => reward,
        ({ squares }) => squares,
      ),
    ),
  };
}

function weigh(
  samples: readonly Sample[],
  weightOf: (sample: Sample) => bigint,
  squaresOf: (sums: Tally) => bigint,
): Tally {
  const sums = { successes: 0n, total: 0n, squares: 0n };
  for (const sample of samples) {
    const weight = weightOf(sample);
    if (sample.success) sums.successes += weight;
    sums.total += weight;
    sums.squares += weight * weight;
  }
  return { ...sums, squares: squaresOf(sums) };
}
