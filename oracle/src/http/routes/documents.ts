import { createRoute, z } from "@hono/zod-openapi";
import { toHash, type Hex } from "@assay/protocol";
import { hashOut } from "../../answers/index.ts";
import { LARGEST_DOCUMENT, tooLarge } from "../../documents/index.ts";
import { readBounded } from "../../rpc/index.ts";
import { ProblemError, notFound } from "../problem.ts";
import type { App, RouteServices } from "./deps.ts";
import { ifNoneMatch, immutable, json, notModified, problems } from "./responses.ts";

const DOCUMENT_PROBLEMS = [
  "hash_mismatch",
  "unknown_schema",
  "not_canonical",
  "wrong_schema",
  "invalid",
  "syntax",
  "duplicate_key",
] as const;

const params = z.object({
  hash: z.string().openapi({ description: "SHA-256 of the bytes, 0x and 64 hexadecimal digits." }),
});
const documentSchema = {
  type: "object" as const,
  description: "An agreement or a submission, canonical JSON.",
};

const putDocument = createRoute({
  method: "put",
  path: "/v1/documents/{hash}",
  operationId: "putDocument",
  tags: ["documents"],
  summary: "Hand in a document",
  description: "Taken only under the name that its bytes hash to, so nobody can replace one.",
  request: { params, body: { required: true, content: { "application/json": { schema: documentSchema } } } },
  responses: {
    200: json("It was here already.", z.object({ hash: hashOut, bytes: z.int() })),
    201: json("It is stored now.", z.object({ hash: hashOut, bytes: z.int() })),
    ...problems("malformed_hash", "too_large", "quota_exceeded", ...DOCUMENT_PROBLEMS),
  },
});

const getDocument = createRoute({
  method: "get",
  path: "/v1/documents/{hash}",
  operationId: "getDocument",
  tags: ["documents"],
  summary: "Read a document",
  request: { params, headers: ifNoneMatch },
  responses: {
    200: { description: "The exact bytes.", content: { "application/json": { schema: documentSchema } } },
    304: notModified,
    ...problems("malformed_hash", "not_found"),
  },
});

export const DOCUMENT_ROUTES = [putDocument, getDocument];

export function serveDocuments(app: App, { documents }: RouteServices): void {
  app.openapi(putDocument, async (context) => {
    const hash = nameOf(context.req.param("hash"));
    const bytes = await readBody(context.req.raw);
    const added = await documents.put(hash, bytes);
    return context.json({ hash, bytes: bytes.length }, added ? 201 : 200);
  });

  app.openapi(getDocument, async (context) => {
    const hash = nameOf(context.req.param("hash"));
    const bytes = await documents.get(hash);
    if (bytes === null)
      throw notFound(
        `This operator does not hold document ${hash}.`,
        "Ask another operator, or PUT the document here.",
      );
    if (immutable(context, hash)) return context.body(null, 304);
    return context.body(new Uint8Array(bytes), 200, { "content-type": "application/json" });
  });
}

function nameOf(given: string): Hex {
  try {
    return toHash(given);
  } catch {
    throw new ProblemError(
      "malformed_hash",
      `"${given.slice(0, 80)}" is no SHA-256.`,
      "Write 0x and the 64 hexadecimal digits of the document's SHA-256.",
    );
  }
}

async function readBody(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > LARGEST_DOCUMENT) throw tooLarge(LARGEST_DOCUMENT);
  const bytes = await readBounded(request, LARGEST_DOCUMENT);
  if (bytes === null) throw tooLarge(LARGEST_DOCUMENT);
  return bytes;
}
