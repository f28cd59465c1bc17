import type { DocumentIssue, Hex } from "@assay/protocol";

export type DocumentRefusalCode =
  "malformed_hash" | "hash_mismatch" | "too_large" | "unknown_schema" | "quota_exceeded" | (string & {});

/** A document was refused at the door; `hint` says what to do. */
export class DocumentRefusedError extends Error {
  override name = "DocumentRefusedError";
  readonly code: DocumentRefusalCode;
  readonly hint: string;
  readonly issues: readonly DocumentIssue[];

  constructor(
    code: DocumentRefusalCode,
    message: string,
    hint: string,
    issues: readonly DocumentIssue[] = [],
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.issues = issues;
  }
}

/** The bytes do not hash to the name under which they were offered. */
export function hashMismatch(expected: Hex, found: Hex): DocumentRefusedError {
  return new DocumentRefusedError(
    "hash_mismatch",
    `the bytes hash to ${found}, not to ${expected}`,
    "Send the exact canonical bytes whose SHA-256 is in the URL, without a line end or byte order mark added.",
  );
}
