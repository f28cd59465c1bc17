import type { MiddlewareHandler } from "hono";
import { CanonicalJsonError, parseStrict } from "@assay/protocol";
import { readBounded } from "../../rpc/index.ts";
import { ProblemError } from "../problem.ts";

/**
 * Reads a JSON body within bounds, and refuses what two readers could take for different values, before any schema
 * looks at it.
 *
 * @param limit bytes.
 */
export function jsonBody(limit: number): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    if (!/^application\/json\s*(?:;|$)/i.test(req.header("content-type") ?? ""))
      throw new ProblemError(
        "unsupported_media_type",
        "The body's Content-Type is not application/json.",
        "Send JSON, with Content-Type: application/json.",
      );
    const bytes =
      Number(req.header("content-length") ?? 0) > limit ? null : await readBounded(req.raw, limit);
    if (bytes === null)
      throw new ProblemError(
        "too_large",
        `The body has more than ${limit} bytes.`,
        "Send less; documents go to /v1/documents.",
      );
    try {
      parseStrict(bytes);
    } catch (error) {
      if (!(error instanceof CanonicalJsonError)) throw error;
      throw new ProblemError("malformed_json", error.message, error.hint);
    }
    // Hono keeps promises there, whatever its types say; whoever asks for the body next gets this one.
    Object.assign(req.bodyCache, { text: Promise.resolve(new TextDecoder().decode(bytes)) });
    await next();
  };
}
