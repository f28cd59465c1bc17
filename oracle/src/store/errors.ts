/** The database can't be used. Fatal: stop before anything is acknowledged. */
export class StoreError extends Error {
  override name = "StoreError";
}

/** Another process holds the database. */
export class StoreLockedError extends StoreError {
  override name = "StoreLockedError";
  readonly file: string;

  constructor(file: string, options?: ErrorOptions) {
    super(`another operator process uses ${file}; stop it, or give this one its own ASSAY_DATA_DIR`, options);
    this.file = file;
  }
}

/** The database was written by a newer version of the service. */
export class StoreVersionError extends StoreError {
  override name = "StoreVersionError";
  readonly found: number;
  readonly supported: number;

  constructor(found: number, supported: number) {
    super(`the database has schema version ${found}, this service knows ${supported}; run the newer service`);
    this.found = found;
    this.supported = supported;
  }
}

/** A submission changed between reading and writing. Not a failure: read again. */
export class StaleVersionError extends Error {
  override name = "StaleVersionError";
}

/** The sign-once table holds another digest for the submission. */
export class SignedOtherwiseError extends Error {
  override name = "SignedOtherwiseError";
  readonly signedDigest: string;

  constructor(signedDigest: string) {
    super(`this operator already signed ${signedDigest} for the submission`);
    this.signedDigest = signedDigest;
  }
}

/** Another intent of the same signer holds the nonce. Not a failure: the endpoint lags, sign again later. */
export class NonceTakenError extends Error {
  override name = "NonceTakenError";
}

/** Signing is halted until a person resumes it. Not a failure: nothing was written, nothing may leave. */
export class HaltedError extends Error {
  override name = "HaltedError";
  readonly reason: string;

  constructor(reason: string) {
    super(`signing is halted: ${reason}`);
    this.reason = reason;
  }
}

/** Another worker has been busy with the signer's nonce for long. Not a failure: try again later. */
export class SignerBusyError extends Error {
  override name = "SignerBusyError";
}

/** A rebuild from that block would forget a submission that is not read again. Nothing was changed. */
export class RebuildRangeError extends Error {
  override name = "RebuildRangeError";
  /** The highest block from which a rebuild is possible. */
  readonly highest: number;

  constructor(fromBlock: number, highest: number, agreementId: string) {
    super(
      `block ${highest} holds the submission of agreement ${agreementId}, which is not finished before block ` +
        `${fromBlock}: rebuild from block ${highest} or earlier`,
    );
    this.highest = highest;
  }
}

/** Outcomes that callers expect and handle; everything else is a failure of the database. */
export function isOrdinary(error: Error): boolean {
  return [
    StoreError,
    StaleVersionError,
    SignedOtherwiseError,
    NonceTakenError,
    HaltedError,
    SignerBusyError,
    RebuildRangeError,
  ].some((kind) => error instanceof kind);
}
