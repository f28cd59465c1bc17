/** Every way in which an adjudication can end. */
export const OUTCOMES = ["PASS", "FAIL", "UNDETERMINED", "WITHHELD"] as const;

/**
 * How an adjudication ended. PASS pays the seller, FAIL and WITHHELD (the submission's document could not be had)
 * refund the buyer, UNDETERMINED (the validators did not agree) splits as the terms say.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** Codes of the outcomes in certificates, as in the contract's library `Outcome`. */
export const OUTCOME_CODES = { PASS: 1, FAIL: 2, UNDETERMINED: 3, WITHHELD: 4 } as const satisfies Record<
  Outcome,
  number
>;

/** The outcome that a certificate's code stands for; nothing for a code that stands for none. */
export function outcomeOfCode(code: number): Outcome | undefined {
  return OUTCOMES.find((outcome) => OUTCOME_CODES[outcome] === code);
}
