import type { Context } from "hono";
import { AnswerError, type Issue } from "../answers/index.ts";
import { DocumentRefusedError } from "../documents/index.ts";
import { PROBLEMS, isProblemCode, type ProblemCode } from "./problems.ts";

/** A request can't be answered; becomes a problem by RFC 9457. */
export class ProblemError extends Error {
  override name = "ProblemError";
  readonly code: ProblemCode;
  readonly hint: string;
  readonly issues: readonly unknown[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    hint: string,
    more: { readonly issues?: readonly Issue[]; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail);
    this.code = code;
    this.hint = hint;
    this.issues = more.issues ?? [];
    this.headers = more.headers ?? {};
  }
}

/** The problem that an error amounts to; null for what nobody expected. */
export function problemOf(error: unknown): ProblemError | null {
  if (error instanceof ProblemError) return error;
  if (error instanceof AnswerError && isProblemCode(error.code))
    return new ProblemError(error.code, error.message, error.hint, { issues: error.issues });
  if (error instanceof DocumentRefusedError)
    return new ProblemError(isProblemCode(error.code) ? error.code : "invalid", error.message, error.hint, {
      issues: error.issues,
    });
  return null;
}

/** A problem as a response. */
export function problemResponse(context: Context, problem: ProblemError): Response {
  const { code, message: detail, hint, issues, headers } = problem;
  const { status, title } = PROBLEMS[code];
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  return context.json(
    {
      type: `urn:assay:problem:${code}`,
      ...{ title, status, detail, code, hint },
      ...(issues.length > 0 ? { issues } : {}),
    },
    status,
    { "content-type": "application/problem+json" },
  );
}

export function notFound(detail: string, hint: string): ProblemError {
  return new ProblemError("not_found", detail, hint);
}
