/** Why a request was refused, in words that programs may rely on. */
export type ProblemCode =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "gone"
  | "too_large"
  | "too_many_requests"
  | "upstream_unreachable"
  | "upstream_timeout"
  | "not_ready"
  | "internal";

const STATUS: Readonly<Record<ProblemCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  too_many_requests: 429,
  upstream_unreachable: 502,
  upstream_timeout: 504,
  not_ready: 503,
  internal: 500,
};

/** A request can't be answered; becomes a problem by RFC 9457. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  readonly status: number;
  /** What to do about it. */
  readonly hint: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, detail: string, hint: string, retryAfterSeconds?: number) {
    super(detail);
    this.code = code;
    this.status = STATUS[code];
    this.hint = hint;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The problem's body. */
  body(): string {
    const { code, status, message: detail, hint } = this;
    return JSON.stringify({
      type: "about:blank",
      title: code.replaceAll("_", " "),
      status,
      code,
      detail,
      hint,
    });
  }

  /** The problem's headers. */
  headers(): Record<string, string> {
    return {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(this.retryAfterSeconds !== undefined && { "retry-after": `${this.retryAfterSeconds}` }),
    };
  }
}

/** `error` as a problem; what nobody expected tells nothing of itself. */
export function problemOf(error: unknown): ProblemError {
  return error instanceof ProblemError
    ? error
    : new ProblemError(
        "internal",
        "something went wrong inside the recorder",
        "Try again later; its log tells more.",
      );
}
