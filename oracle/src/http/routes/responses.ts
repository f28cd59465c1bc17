import type { Context } from "hono";
import { z } from "@hono/zod-openapi";
import { PROBLEMS, type ProblemCode } from "../problems.ts";

/** What is named by its content, or signed once, never changes. */
const IMMUTABLE = "public, max-age=31536000, immutable";

export const problemOut = z
  .object({
    type: z.string().openapi({ example: "urn:assay:problem:not_found" }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    hint: z.string().openapi({ description: "What to do about it." }),
    issues: z
      .array(z.object({ path: z.string(), message: z.string(), hint: z.string().optional() }))
      .optional(),
  })
  .openapi("Problem");

/** A JSON answer. */
export function json<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: { "application/json": { schema } } };
}

/** Responses for these problems, one for each status. */
export function problems(...codes: readonly ProblemCode[]) {
  const all: readonly ProblemCode[] = ["rate_limited", "internal", ...codes];
  const statuses = [...new Set(all.map((code) => PROBLEMS[code].status))].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: all
          .filter((code) => PROBLEMS[code].status === status)
          .map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`)
          .join(" "),
        content: { "application/problem+json": { schema: problemOut } },
      },
    ]),
  );
}

/** Headers of what never changes; whether the caller has it already. */
export function immutable(context: Context, tag: string): boolean {
  const etag = `"${tag}"`;
  context.header("etag", etag);
  context.header("cache-control", IMMUTABLE);
  const held = (context.req.header("if-none-match") ?? "")
    .split(",")
    .map((one) => one.trim().replace(/^W\//, ""));
  return held.includes(etag) || held.includes("*");
}

export const notModified = { description: "The caller has it already." };

export const ifNoneMatch = z.object({
  "if-none-match": z.string().optional().openapi({ description: "ETags that the caller holds." }),
});

export const idempotencyKey = z.object({
  "idempotency-key": z.string().optional().openapi({
    description:
      "16 to 128 visible ASCII characters. The same key with the same body gets the same answer for a day; with another body 409.",
  }),
});
