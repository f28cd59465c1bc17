/**
 * Base of every error that this package throws on bad input.
 *
 * `code` is stable and meant for programs, `message` says what is wrong, `hint` says what to do about it.
 */
export abstract class ProtocolError extends Error {
  abstract readonly code: string;
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
