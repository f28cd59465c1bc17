import { createRoute, z } from "@hono/zod-openapi";
import { agentCard, agentRegistration, type ServiceIdentity } from "../agent-card.ts";
import type { App, RouteServices } from "./deps.ts";
import { json, problems } from "./responses.ts";

const anything = z.record(z.string(), z.unknown());
/** Seconds for which a copy may be kept. */
const CACHED = "public, max-age=300";

const getAgentCard = createRoute({
  method: "get",
  path: "/.well-known/agent-card.json",
  operationId: "getAgentCard",
  tags: ["service"],
  summary: "The A2A agent card, signed by the attester",
  responses: { 200: json("The card.", anything), ...problems() },
});

const getAgentRegistration = createRoute({
  method: "get",
  path: "/.well-known/agent-registration.json",
  operationId: "getAgentRegistration",
  tags: ["service"],
  summary: "The ERC-8004 registration file",
  responses: { 200: json("The file.", anything), ...problems() },
});

export const CONVENTION_ROUTES = [getAgentCard, getAgentRegistration];

export function serveConventions(app: App, services: RouteServices, version: string): void {
  const { config, operators } = services;
  const own = operators.members.find(({ address }) => address === config.keys.attester.address);
  const identity = (): ServiceIdentity => ({
    config,
    version,
    name: own?.name ?? "Assay operator",
    url: services.publicUrl().replace(/\/+$/, ""),
  });
  // Signing takes a while, and the card changes with nothing but the address.
  let signed: { readonly url: string; readonly card: Record<string, unknown> } | null = null;

  app.openapi(getAgentCard, (context) => {
    const current = identity();
    if (signed?.url !== current.url) signed = { url: current.url, card: agentCard(current) };
    context.header("cache-control", CACHED);
    return context.json(signed.card, 200);
  });

  app.openapi(getAgentRegistration, (context) => {
    context.header("cache-control", CACHED);
    return context.json(agentRegistration(identity()), 200);
  });
}
