/** Why a question can't be answered, by stable code. */
export const ANSWER_ERRORS = [
  "invalid_request",
  "not_found",
  "not_ready",
  "chain_unavailable",
  "agreement_unknown",
  "terms_refused",
  "signatures_missing",
  "nothing_to_deliver",
  "not_settled",
  "signer_conflict",
  "operator_unreachable",
  "operator_refused",
] as const;

export type AnswerErrorCode = (typeof ANSWER_ERRORS)[number];

/** One thing that is wrong with a request. */
export interface Issue {
  /** Place in the request, such as `terms.reward`; empty for the request itself. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
}

/** A question can't be answered; `hint` says what to do. */
export class AnswerError extends Error {
  override name = "AnswerError";
  readonly code: AnswerErrorCode;
  readonly hint: string;
  readonly issues: readonly Issue[];

  constructor(
    code: AnswerErrorCode,
    message: string,
    hint: string,
    issues: readonly Issue[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.hint = hint;
    this.issues = issues;
  }
}
