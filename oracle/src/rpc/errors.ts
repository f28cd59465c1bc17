/** A JSON-RPC endpoint can't be used right now, or answered something that is no answer. Try again later. */
export class RpcUnavailableError extends Error {
  override name = "RpcUnavailableError";
  readonly origin: string;
  readonly method: string;
  /** Milliseconds that the endpoint asked to be left alone; null when it did not say. */
  readonly retryAfter: number | null;
  /** Whether it is asked too often, which says nothing about its health. */
  readonly isRateLimit: boolean;

  constructor(
    origin: string,
    method: string,
    what: string,
    retryAfter: number | null = null,
    options: ErrorOptions & { readonly isRateLimit?: boolean } = {},
  ) {
    super(`${method} at ${origin} ${what}`, options);
    this.origin = origin;
    this.method = method;
    this.retryAfter = retryAfter;
    this.isRateLimit = options.isRateLimit ?? retryAfter !== null;
  }
}

/** A JSON-RPC endpoint answered with an error object. */
export class RpcResponseError extends Error {
  override name = "RpcResponseError";
  readonly origin: string;
  readonly method: string;
  readonly code: number;
  /** Revert data of an execution error, when the node sent it. */
  readonly data: string | null;

  constructor(origin: string, method: string, code: number, message: string, data: string | null) {
    super(`${method} at ${origin} was refused (${code}): ${message}`);
    this.origin = origin;
    this.method = method;
    this.code = code;
    this.data = data;
  }
}

/** A chain is not the one that this operator was set up for, or an answer can't be true. */
export class ChainIdentityError extends Error {
  override name = "ChainIdentityError";
}
