/**
 * A share of agreements, in basis points, with its 95 % confidence interval. Bounds are rounded outwards, so that the
 * true bound never lies outside; the estimate is rounded to the nearest, a half upwards.
 */
export interface Rate {
  /** The estimate; null when nothing counts yet, which is not the same as 0. */
  readonly bps: number | null;
  readonly lowBps: number;
  readonly highBps: number;
}

/** Weighted observations of something that either succeeded or did not, in any common unit of weight. */
export interface Tally {
  /** Sum of the weights of successes. */
  readonly successes: bigint;
  /** Sum of all weights. */
  readonly total: bigint;
  /** What makes `total² / squares` the number of observations that the evidence is worth. */
  readonly squares: bigint;
}

const WHOLE_BPS = 10_000n;

/** The normal quantile of the 95 % interval, 1.96, as the fraction 49/25. */
const Z = { numerator: 49n, denominator: 25n } as const;

/**
 * The Wilson score interval over weighted observations, in integers alone: every language gets the same digits.
 *
 * With S successes of W in all, Q squares and z = a/b the bounds are
 * `(2·S·W·b² + a²·Q ± a·√(a²·Q² + 4·b²·S·(W − S)·Q)) / (2·(W²·b² + a²·Q))`;
 * for equal weights of 1, Q = W, and this is Wilson's formula.
 */
export function rateOf({ successes: s, total: w, squares: q }: Tally): Rate {
  if (w === 0n) return { bps: null, lowBps: 0, highBps: Number(WHOLE_BPS) };
  const { numerator: a, denominator: b } = Z;
  const centre = WHOLE_BPS * (2n * s * w * b ** 2n + a ** 2n * q);
  const spread = ceilSqrt((WHOLE_BPS * a) ** 2n * (a ** 2n * q ** 2n + 4n * b ** 2n * s * (w - s) * q));
  const divisor = 2n * (w ** 2n * b ** 2n + a ** 2n * q);
  return {
    bps: Number((2n * WHOLE_BPS * s + w) / (2n * w)),
    lowBps: Number((centre - spread) / divisor),
    highBps: Number((centre + spread + divisor - 1n) / divisor),
  };
}

/** The smallest integer whose square is at least `value`. */
function ceilSqrt(value: bigint): bigint {
  if (value < 2n) return value;
  // Newton's method from above, which ends at the floor of the root.
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return root * root === value ? root : root + 1n;
}
