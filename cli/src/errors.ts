import { UnavailableError } from "@assay/evidence";
import { EXIT, type ExitCode } from "./exit-codes.ts";

export { UnavailableError };

/** A command ends, with one sentence about why and one about what to do. */
export class CliError extends Error {
  override readonly name: string = "CliError";
  readonly exitCode: ExitCode;
  readonly hint: string;

  constructor(exitCode: ExitCode, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** The command line or the configuration is wrong. */
export class UsageError extends CliError {
  override readonly name = "UsageError";

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(EXIT.usage, message, hint, options);
  }
}

/** An error that ends a command in words: one of the command line's own, or something that can't be read. */
export type WordedError = CliError | UnavailableError;

/** Whether an error ends a command in words; every other one is a fault of the program. */
export function isWorded(error: unknown): error is WordedError {
  return error instanceof CliError || error instanceof UnavailableError;
}

/** How a command ends that met this error. */
export function exitCodeOf(error: WordedError): ExitCode {
  return error instanceof CliError ? error.exitCode : EXIT.unavailable;
}

/** The contracts, the operators or the user would not have it; nothing was sent. */
export class RefusedError extends CliError {
  override readonly name = "RefusedError";
  /** A stable name of the reason, such as a contract's error. */
  readonly reason: string;

  constructor(reason: string, message: string, hint: string, options?: ErrorOptions) {
    super(EXIT.refused, message, hint, options);
    this.reason = reason;
  }
}

/** What was begun has not come to its end yet. */
export class PendingError extends CliError {
  override readonly name = "PendingError";
  /** The transaction of which nobody knows yet what became; null when it is not about one. */
  readonly transactionHash: string | null;

  constructor(transactionHash: string | null, message: string, hint: string, options?: ErrorOptions) {
    super(EXIT.pending, message, hint, options);
    this.transactionHash = transactionHash;
  }
}
