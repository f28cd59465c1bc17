import { createRoute, z } from "@hono/zod-openapi";
import {
  addressIn,
  adjudicationsIn,
  attestationOut,
  byCategoryIn,
  hashIn,
  hireOut,
  hirePolicyIn,
  reputationOut,
  verdictOut,
} from "../../answers/index.ts";
import { notFound } from "../problem.ts";
import type { App, RouteServices } from "./deps.ts";
import { ifNoneMatch, immutable, json, notModified, problems } from "./responses.ts";

const getVerdict = createRoute({
  method: "get",
  path: "/v1/verdicts/{verdictHash}",
  operationId: "getVerdict",
  tags: ["verdicts"],
  summary: "Read a verdict record by its hash",
  request: { params: z.object({ verdictHash: hashIn }), headers: ifNoneMatch },
  responses: {
    200: json("The record. Never changes.", verdictOut),
    304: notModified,
    ...problems("invalid_request", "not_found"),
  },
});

const getAttestation = createRoute({
  method: "get",
  path: "/v1/attestations/{agreementId}",
  operationId: "getAttestation",
  tags: ["verdicts"],
  summary: "Read this operator's signature about an agreement",
  request: { params: z.object({ agreementId: hashIn }), headers: ifNoneMatch },
  responses: {
    200: json("Certificate, record and signature. Never changes.", attestationOut),
    304: notModified,
    ...problems("invalid_request", "not_found"),
  },
});

const getReputation = createRoute({
  method: "get",
  path: "/v1/reputation/{address}",
  operationId: "getReputation",
  tags: ["reputation"],
  summary: "What a party's agreements say about it",
  description:
    "From this operator's own store, at its newest final block; the same arithmetic as from the index.",
  request: {
    params: z.object({ address: addressIn }),
    query: z.object({ adjudications: adjudicationsIn, byCategory: byCategoryIn }),
  },
  responses: { 200: json("The reputation.", reputationOut), ...problems("invalid_request", "not_ready") },
});

const getHireDecision = createRoute({
  method: "get",
  path: "/v1/hire/{address}",
  operationId: "getHireDecision",
  tags: ["reputation"],
  summary: "Whether a seller's history meets a buyer's demands",
  request: { params: z.object({ address: addressIn }), query: hirePolicyIn },
  responses: {
    200: json("The decision with its reasons.", hireOut),
    ...problems("invalid_request", "not_ready"),
  },
});

export const VERDICT_ROUTES = [getVerdict, getAttestation, getReputation, getHireDecision];

export function serveVerdicts(app: App, { answers }: RouteServices): void {
  app.openapi(getVerdict, async (context) => {
    const { verdictHash } = context.req.valid("param");
    const verdict = await answers.verdict(verdictHash);
    if (verdict === null)
      throw notFound(
        "This operator holds no verdict record of that hash.",
        "Ask another operator of the set.",
      );
    if (immutable(context, verdictHash)) return context.body(null, 304);
    return context.json(verdict, 200);
  });

  app.openapi(getAttestation, async (context) => {
    const attestation = await answers.attestation(context.req.valid("param").agreementId);
    if (attestation === null)
      throw notFound(
        "This operator has signed nothing about that agreement.",
        "Wait until the verdict is final.",
      );
    if (immutable(context, attestation.digest)) return context.body(null, 304);
    return context.json(attestation, 200);
  });

  app.openapi(getHireDecision, async (context) => {
    const { address } = context.req.valid("param");
    return context.json(await answers.hire(address, context.req.valid("query")), 200);
  });

  app.openapi(getReputation, async (context) => {
    const { address } = context.req.valid("param");
    const { adjudications, byCategory } = context.req.valid("query");
    return context.json(await answers.reputation(address, adjudications, byCategory === "true"), 200);
  });
}
