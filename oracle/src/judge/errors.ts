/** genlayer-js failed or took too long. Retry later; nothing is known. */
export class JudgeUnavailableError extends Error {
  override name = "JudgeUnavailableError";

  constructor(operation: string, what: string, options?: ErrorOptions) {
    super(`${operation} ${what}`, options);
  }
}
