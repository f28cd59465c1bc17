import { createRoute, z } from "@hono/zod-openapi";
import {
  addressIn,
  agreementFilterIn,
  agreementOut,
  agreementPageOut,
  hashIn,
  limitIn,
  partyPageOut,
  timelineOut,
} from "../../answers/index.ts";
import { notFound, type ProblemError } from "../problem.ts";
import type { App, RouteServices } from "./deps.ts";
import { json, problems } from "./responses.ts";

const params = z.object({ agreementId: hashIn });

const listAgreements = createRoute({
  method: "get",
  path: "/v1/agreements",
  operationId: "listAgreements",
  tags: ["agreements"],
  summary: "List agreements, newest first",
  request: { query: agreementFilterIn },
  responses: { 200: json("One page.", agreementPageOut), ...problems("invalid_request") },
});

const getAgreement = createRoute({
  method: "get",
  path: "/v1/agreements/{agreementId}",
  operationId: "getAgreement",
  tags: ["agreements"],
  summary: "Read one agreement",
  description: "Terms, the escrow's events, and everything that this operator did about each submission.",
  request: { params },
  responses: { 200: json("The agreement.", agreementOut), ...problems("invalid_request", "not_found") },
});

const getTimeline = createRoute({
  method: "get",
  path: "/v1/agreements/{agreementId}/timeline",
  operationId: "getTimeline",
  tags: ["agreements"],
  summary: "Follow one agreement",
  description:
    "What happened and what is still to come: included, final, relayed, provisional, finalized, attested, settled. What is provisional may be appealed, and no money follows from it.",
  request: { params },
  responses: { 200: json("The timeline.", timelineOut), ...problems("invalid_request", "not_found") },
});

const listParties = createRoute({
  method: "get",
  path: "/v1/parties",
  operationId: "listParties",
  tags: ["agreements"],
  summary: "List every buyer and seller",
  request: { query: z.object({ limit: limitIn, cursor: addressIn.optional() }) },
  responses: { 200: json("One page.", partyPageOut), ...problems("invalid_request") },
});

export const AGREEMENT_ROUTES = [listAgreements, getAgreement, getTimeline, listParties];

export function serveAgreements(app: App, { answers }: RouteServices): void {
  app.openapi(listAgreements, async (context) =>
    context.json(await answers.agreements(context.req.valid("query")), 200),
  );

  app.openapi(getAgreement, async (context) => {
    const view = await answers.agreement(context.req.valid("param").agreementId);
    if (view === null) throw unseen();
    return context.json(view, 200);
  });

  app.openapi(getTimeline, async (context) => {
    const timeline = await answers.timeline(context.req.valid("param").agreementId);
    if (timeline === null) throw unseen();
    return context.json(timeline, 200);
  });

  app.openapi(listParties, async (context) =>
    context.json(await answers.parties(context.req.valid("query")), 200),
  );
}

function unseen(): ProblemError {
  return notFound(
    "This operator has not seen such an agreement.",
    "Check the id; wait until the block that funds it has been read.",
  );
}
