/**
 * Why the index can't be asked, or can't be believed:
 * `UNREACHABLE` no answer; `REFUSED` it did not understand the question; `FAILING` a handler failed, so it has
 * stopped; `BEHIND` it has not reached the block asked for; `OFF_CHAIN` it stands on a block that the chain does not
 * have; `MALFORMED` it answered what its schema does not allow.
 */
export type IndexErrorCode = "UNREACHABLE" | "REFUSED" | "FAILING" | "BEHIND" | "OFF_CHAIN" | "MALFORMED";

/** The index gives no answer that can be used; ask the chain, or an operator. */
export class IndexError extends Error {
  override readonly name = "IndexError";
  readonly code: IndexErrorCode;

  constructor(code: IndexErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
