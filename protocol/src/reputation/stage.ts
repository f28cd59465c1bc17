import type { AgreementEnd, AgreementFact } from "./agreement-fact.ts";

/** Where an agreement stood at one moment. */
export interface Stage {
  readonly fact: AgreementFact;
  readonly accepted: boolean;
  readonly submitted: boolean;
  readonly end: AgreementEnd | null;
  /** Accepted, not submitted, `deliverBy` is over, and nobody has ended it: a no-show that awaits its expiry. */
  readonly overdue: boolean;
}

/**
 * Where an agreement stood at the end of the second `at`, whatever has happened since: later facts give the same
 * figures for an earlier moment.
 *
 * @returns nothing when it was not funded yet.
 */
export function stageAt(fact: AgreementFact, at: number): Stage | undefined {
  if (fact.fundedAt > at) return undefined;
  const happened = (time: number | null): boolean => time !== null && time <= at;
  const accepted = happened(fact.acceptedAt);
  const submitted = happened(fact.submittedAt);
  const end = fact.end !== null && fact.end.at <= at ? fact.end : null;
  const overdue = end === null && accepted && !submitted && fact.deliverBy < at;
  return { fact, accepted, submitted, end, overdue };
}
