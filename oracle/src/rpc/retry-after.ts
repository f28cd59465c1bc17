/** Longest pause that an endpoint may ask for, in milliseconds: beyond that it is tried again anyway. */
const LONGEST = 10 * 60_000;

/**
 * Milliseconds that a `Retry-After` header asks for: seconds or an HTTP date. Null when it asks for nothing readable.
 *
 * @param now wall clock in milliseconds, for dates.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = Number(header);
  const milliseconds = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now;
  if (!Number.isFinite(milliseconds) || milliseconds <= 0) return null;
  return Math.min(LONGEST, Math.ceil(milliseconds));
}
