/** Something that was asked about can't be read: one sentence about why, and one about what to do. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
