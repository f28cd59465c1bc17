import { ProtocolError } from "../error.ts";
import type { CanonicalJsonErrorCode } from "../json/error.ts";

/** Why a document was refused; the codes of `CanonicalJsonError` pass through. */
export type DocumentErrorCode =
  | CanonicalJsonErrorCode
  /** More canonical bytes than the format allows. */
  | "too_large"
  /** Valid JSON whose bytes are not its canonical form. */
  | "not_canonical"
  /** `schema` names another format, or none. */
  | "wrong_schema"
  /** A member is missing, unknown, of the wrong type or out of bounds. */
  | "invalid"
  /** Two documents that must belong together do not. */
  | "mismatch";

/** One thing wrong with a document. */
export interface DocumentIssue {
  /** Place in the document, such as `requirements[2].check.path`; empty for the document itself. */
  readonly path: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** A document was refused; `path`, `message` and `hint` tell of the first issue. */
export class DocumentError extends ProtocolError {
  override readonly name = "DocumentError";
  readonly code: DocumentErrorCode;
  readonly path: string | undefined;
  /** Every issue found; one unless `code` is `invalid` or `mismatch`. */
  readonly issues: readonly DocumentIssue[];

  constructor(
    code: DocumentErrorCode,
    issues: readonly [DocumentIssue, ...DocumentIssue[]],
    options?: ErrorOptions,
  ) {
    const [first] = issues;
    super(first.path === "" ? first.message : `${first.path}: ${first.message}`, first.hint, options);
    this.code = code;
    this.path = first.path === "" ? undefined : first.path;
    this.issues = issues;
  }
}
