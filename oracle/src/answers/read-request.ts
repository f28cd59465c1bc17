import type { z } from "@hono/zod-openapi";
import { AnswerError, type Issue } from "./errors.ts";

/** Most issues that one refusal lists. */
const MAX_ISSUES = 20;

/**
 * A request by its schema.
 *
 * @throws AnswerError `invalid_request` that lists what is wrong.
 */
export function readRequest<T>(schema: z.ZodType<T>, request: unknown): T {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error);
}

/** What a schema has against a request. Values are not quoted: a request may hold what nobody should see. */
export function invalidRequest(error: z.ZodError): AnswerError {
  const issues = error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }): Issue => ({ path: path.map(String).join("."), message }));
  const [first] = issues;
  return new AnswerError(
    "invalid_request",
    first === undefined ? "The request is not valid." : `${first.path || "the request"}: ${first.message}`,
    "Compare the request with its schema at /openapi.json.",
    issues,
  );
}
