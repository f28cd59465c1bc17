/** Why nothing can be prepared, by stable code. */
export type PrepareErrorCode =
  | "agreement_unknown"
  | "terms_refused"
  | "signatures_missing"
  | "nothing_to_deliver"
  | "not_settled"
  | "signer_conflict";

/** One thing that stands in the way. */
export interface PrepareIssue {
  /** Member of the request. */
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** The operation can't be prepared from what was given and what is known. */
export class PrepareError extends Error {
  override name = "PrepareError";
  readonly code: PrepareErrorCode;
  readonly hint: string;
  readonly issues: readonly PrepareIssue[];

  constructor(code: PrepareErrorCode, message: string, hint: string, issues: readonly PrepareIssue[] = []) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.issues = issues;
  }
}
