import { createRoute, z } from "@hono/zod-openapi";
import { LARGEST_DOCUMENT } from "../../documents/index.ts";
import { PROBLEMS } from "../problems.ts";
import type { App, RouteServices } from "./deps.ts";
import { json, problems } from "./responses.ts";

const anything = z.record(z.string(), z.unknown());

const getOperator = createRoute({
  method: "get",
  path: "/v1/operator",
  operationId: "getOperator",
  tags: ["service"],
  summary: "Who this operator is",
  responses: { 200: json("Addresses, networks, quorum, document window.", anything), ...problems() },
});

const getOperators = createRoute({
  method: "get",
  path: "/v1/operators",
  operationId: "getOperators",
  tags: ["service"],
  summary: "Where the set's operators can be asked",
  responses: { 200: json("The set's operators.json.", anything), ...problems() },
});

const getProblems = createRoute({
  method: "get",
  path: "/v1/problems",
  operationId: "getProblems",
  tags: ["service"],
  summary: "Every problem code with its meaning",
  responses: {
    200: json(
      "The codes.",
      z.object({
        problems: z.array(
          z.object({ code: z.string(), status: z.int(), title: z.string(), meaning: z.string() }),
        ),
      }),
    ),
    ...problems(),
  },
});

export const SERVICE_ROUTES = [getOperator, getOperators, getProblems];

export function serveService(app: App, services: RouteServices): void {
  const { config, operators } = services;

  app.openapi(getProblems, (context) =>
    context.json({ problems: Object.entries(PROBLEMS).map(([code, kind]) => ({ code, ...kind })) }, 200),
  );

  app.openapi(getOperators, (context) =>
    context.json({ ...operators, members: [...operators.members] } as Record<string, unknown>, 200),
  );

  app.openapi(getOperator, (context) =>
    context.json(
      {
        attester: config.keys.attester.address,
        relayer: config.keys.relayer.address,
        submitter: config.keys.submitter.address,
        evm: {
          chainId: config.evm.chainId,
          escrow: config.evm.escrow,
          quorum: config.evm.quorum,
          finality: config.evm.finality,
          read: services.view(),
        },
        /** ERC-8183 contracts whose jobs are evaluated, and the evaluator that such a job names; null for none. */
        jobs: config.jobs,
        genLayer: {
          network: config.genLayer.network.name,
          chainId: config.genLayer.network.chainId,
          consensusMain: config.genLayer.network.consensusMain,
          simulated: config.genLayer.network.simulated,
        },
        quorum: {
          members: config.members.addresses,
          threshold: config.members.threshold,
          adjudicatorConfig: config.members.configHash,
        },
        documents: {
          /** Null: half of what is left until the end of the adjudication window. Never more than that. */
          windowSeconds: config.documents.windowSeconds,
          largestBytes: LARGEST_DOCUMENT,
        },
        halted: services.haltReason(),
      },
      200,
    ),
  );
}
