const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Bounds, in seconds, that the escrow puts on an agreement's two windows when it is funded. */
export const WINDOWS = {
  /** From funding to `deliverBy`. */
  delivery: { min: 10 * MINUTE, max: 365 * DAY },
  /** From `deliverBy` to `adjudicateBy`. */
  adjudication: { min: HOUR, max: 90 * DAY },
} as const;
