import type { Rate } from "@assay/protocol";

/** A rate with its interval, as `assay reputation` writes it: `75% (30.1% to 95.4%)`. */
export function rateInWords({ bps, lowBps, highBps }: Rate): string {
  return bps === null ? "unknown" : `${bps / 100}% (${lowBps / 100}% to ${highBps / 100}%)`;
}
