/** A block that was final is no longer on the chain. Nothing may be signed until a person has looked. */
export class FinalityViolationError extends Error {
  override name = "FinalityViolationError";
  readonly blockNumber: number;

  constructor(blockNumber: number, expected: string, found: string) {
    super(`final block ${blockNumber} was ${expected} and is now ${found}`);
    this.blockNumber = blockNumber;
  }
}
