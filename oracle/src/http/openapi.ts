import { OpenAPIHono } from "@hono/zod-openapi";
import { AGREEMENT_ROUTES } from "./routes/agreements.ts";
import { CONVENTION_ROUTES } from "./routes/conventions.ts";
import { DOCUMENT_ROUTES } from "./routes/documents.ts";
import { PREPARE_ROUTES } from "./routes/prepare.ts";
import { SERVICE_ROUTES } from "./routes/service.ts";
import { VERDICT_ROUTES } from "./routes/verdicts.ts";

/** Version of the API: of paths, schemas and problem codes. */
export const API_VERSION = "1.0.0";

/** Every route that the description lists. */
export const ROUTES = [
  ...DOCUMENT_ROUTES,
  ...AGREEMENT_ROUTES,
  ...VERDICT_ROUTES,
  ...PREPARE_ROUTES,
  ...SERVICE_ROUTES,
  ...CONVENTION_ROUTES,
];

/** The API's description (OpenAPI 3.1), from the schemas that requests are checked with. */
export function openApiDocument() {
  const described = new OpenAPIHono();
  for (const route of ROUTES) described.openAPIRegistry.registerPath(route);
  return described.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Assay operator",
      version: API_VERSION,
      description:
        "Reads are public. Nothing here holds a user's key: preparations are unsigned. Amounts are decimal text of token base units, times ISO 8601 unless a member says Unix seconds. Errors are RFC 9457 problems with stable codes, listed at /v1/problems.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "/" }],
  });
}
