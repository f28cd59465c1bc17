import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { DocumentRefusedError } from "../documents/index.ts";

/** An error as RFC 9457 shows it, with a stable code and what to do about it. */
export interface Problem {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly hint: string;
  readonly issues?: readonly unknown[];
}

export function problemResponse(context: Context, problem: Problem): Response {
  const { status, code, ...rest } = problem;
  return context.json({ type: `urn:assay:problem:${code}`, status, code, ...rest }, status, {
    "content-type": "application/problem+json",
  });
}

const STATUS_OF: Readonly<Record<string, ContentfulStatusCode>> = {
  too_large: 413,
  quota_exceeded: 507,
  malformed_hash: 400,
  hash_mismatch: 422,
};

/** A refused document. */
export function refusedDocument(error: DocumentRefusedError): Problem {
  return {
    status: STATUS_OF[error.code] ?? 422,
    code: error.code,
    title: "The document was refused",
    detail: error.message,
    hint: error.hint,
    ...(error.issues.length > 0 ? { issues: error.issues } : {}),
  };
}

export function notFound(what: string, hint: string): Problem {
  return { status: 404, code: "not_found", title: "Not found", detail: what, hint };
}

export function badRequest(code: string, detail: string, hint: string): Problem {
  return { status: 400, code, title: "The request is not valid", detail, hint };
}
