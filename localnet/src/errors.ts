/** What went wrong while a stand-in was being started or run. Stable: callers branch on it. */
export type LocalnetErrorCode =
  | "PORT_IN_USE"
  | "BINARY_MISSING"
  | "CHILD_DIED"
  | "START_TIMEOUT"
  | "ENVIRONMENT"
  | "BAD_OPTION"
  | "BAD_STATE";

/**
 * A localnet failure told in one sentence (`message`) with what to do about it (`hint`).
 *
 * Thrown by every `start…` function of this package; nothing that was started is left running when it is.
 */
export class LocalnetError extends Error {
  override readonly name = "LocalnetError";
  readonly code: LocalnetErrorCode;
  readonly hint: string;

  constructor(code: LocalnetErrorCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }
}
