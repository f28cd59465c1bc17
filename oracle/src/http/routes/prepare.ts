import { createRoute } from "@hono/zod-openapi";
import { preparationOut, previewIn, previewOut } from "../../answers/index.ts";
import { OPERATIONS } from "../../prepare/index.ts";
import { idempotent } from "../middleware/idempotency.ts";
import { jsonBody } from "../middleware/json-body.ts";
import type { App, RouteServices } from "./deps.ts";
import { idempotencyKey, json, problems } from "./responses.ts";

/** Bytes of a body that holds two documents, and of one that holds terms and signatures. */
const LIMITS = { preview: 1_048_576, prepare: 65_536 };

const BODY_PROBLEMS = [
  "malformed_json",
  "invalid_request",
  "too_large",
  "unsupported_media_type",
  "idempotency_key_malformed",
  "idempotency_key_reused",
] as const;

const preview = createRoute({
  method: "post",
  path: "/v1/preview",
  operationId: "preview",
  tags: ["preparation"],
  summary: "Try a draft before anyone pays",
  description:
    "Sizes against limits, what every check decides, and what the validators' models would be shown. Nothing is stored, and no model is asked.",
  request: {
    headers: idempotencyKey,
    body: { required: true, content: { "application/json": { schema: previewIn } } },
  },
  responses: { 200: json("What is certain about the draft.", previewOut), ...problems(...BODY_PROBLEMS) },
});

const prepareRoutes = OPERATIONS.map(({ name, title, summary, request }) =>
  createRoute({
    method: "post",
    path: `/v1/prepare/${name}`,
    operationId: `prepare.${name}`,
    tags: ["preparation"],
    summary: title,
    description: `${summary} Answers with typed data to sign or a transaction to send, unsigned.`,
    request: {
      headers: idempotencyKey,
      body: { required: true, content: { "application/json": { schema: request } } },
    },
    responses: {
      200: json("What to sign or to send.", preparationOut),
      ...problems(
        ...BODY_PROBLEMS,
        "agreement_unknown",
        "terms_refused",
        "signer_conflict",
        "signatures_missing",
        "nothing_to_deliver",
        "not_settled",
        "chain_unavailable",
      ),
    },
  }),
);

export const PREPARE_ROUTES = [preview, ...prepareRoutes];

export function servePreparations(app: App, { answers, store, clock }: RouteServices): void {
  const once = idempotent(store, clock);
  app.use("/v1/preview", jsonBody(LIMITS.preview), once);
  app.use("/v1/prepare/*", jsonBody(LIMITS.prepare), once);

  app.openapi(preview, async (context) => context.json(await answers.preview(await context.req.json()), 200));

  for (const [index, route] of prepareRoutes.entries()) {
    const name = OPERATIONS[index]?.name ?? "";
    app.openapi(route, async (context) =>
      context.json(await answers.prepare(name, await context.req.json()), 200),
    );
  }
}
