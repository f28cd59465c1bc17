/**
 * Chain time until which the documents of a submission may arrive. Derived from public data alone, so that operators
 * with the same setting agree on it; at least half of what is left for a verdict is kept for judging.
 *
 * @param windowSeconds the operators' published window; null for the longest that the agreement leaves room for.
 */
export function documentWindowEnd(submission: {
  readonly submittedAt: number;
  readonly adjudicateBy: number;
  readonly windowSeconds: number | null;
}): number {
  const { submittedAt, adjudicateBy, windowSeconds } = submission;
  const longest = Math.max(0, Math.floor((adjudicateBy - submittedAt) / 2));
  return submittedAt + Math.min(windowSeconds ?? longest, longest);
}
