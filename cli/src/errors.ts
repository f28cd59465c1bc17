import { EXIT, type ExitCode } from "./exit-codes.ts";

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

/** Something that was asked about can't be read. */
export class UnavailableError extends CliError {
  override readonly name = "UnavailableError";

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(EXIT.unavailable, message, hint, options);
  }
}
