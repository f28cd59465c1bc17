/** Something that was asked about can't be read: one sentence about why, and one about what to do. */
export class UnavailableError extends Error {
  override readonly name: string = "UnavailableError";
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** Somebody who knows the escrow answered, and the escrow knows no such agreement. */
export class UnknownAgreementError extends UnavailableError {
  override readonly name = "UnknownAgreementError";
}
