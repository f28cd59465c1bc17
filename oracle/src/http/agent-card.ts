import { caip10Of, caip2Of } from "../answers/index.ts";
import type { OperatorConfig } from "../config/index.ts";
import { signJws } from "../signer/jws.ts";

/** What an operator says about itself to agents that look for a service. */
export interface ServiceIdentity {
  readonly config: OperatorConfig;
  readonly name: string;
  readonly version: string;
  /** Where others reach the operator, without a slash at the end. */
  readonly url: string;
}

const DESCRIPTION =
  "One operator of an Assay quorum: it has deliveries judged against the agreement that both sides signed, signs what it verified itself, and answers who is reliable. It holds nobody's money and no user's key.";

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 14 8 2l6 12M4.5 10h7' fill='none' stroke='%23000' stroke-width='2'/%3E%3C/svg%3E";

const JSON_MODE = "application/json";

/** Skills by the names of the tools and routes behind them. */
const SKILLS = [
  {
    id: "hire_decision",
    name: "Decide whether to hire a seller",
    description: "From settled agreements, no-shows included, with threshold, interval and evidence.",
    tags: ["reputation", "hiring", "escrow"],
  },
  {
    id: "preview_delivery",
    name: "Try a draft before anyone pays",
    description: "Deterministic checks, sizes, and what the validators' models would be shown.",
    tags: ["escrow", "verification"],
  },
  {
    id: "prepare",
    name: "Prepare a transition",
    description: "Unsigned typed data and transactions for every step of an agreement.",
    tags: ["escrow", "payments", "usdc"],
  },
  {
    id: "get_timeline",
    name: "Follow an agreement",
    description: "What happened and what is still to come, with finality.",
    tags: ["escrow"],
  },
] as const;

/**
 * The A2A agent card, signed by the attester over its canonical form. It offers no binding of A2A's own: the interfaces
 * are this API and, when it is served, MCP.
 */
export function agentCard(identity: ServiceIdentity): Record<string, unknown> {
  const { config, name, version, url } = identity;
  const card = {
    name,
    description: DESCRIPTION,
    version,
    supportedInterfaces: [
      { url: `${url}/v1`, protocolBinding: "https://spec.openapis.org/oas/v3.1.0", protocolVersion: "1.0" },
      ...(config.http.mcp
        ? [{ url: `${url}/mcp`, protocolBinding: "https://modelcontextprotocol.io", protocolVersion: "1.0" }]
        : []),
    ],
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: [JSON_MODE],
    defaultOutputModes: [JSON_MODE],
    documentationUrl: `${url}/openapi.json`,
    skills: SKILLS.map((skill) => ({ ...skill, tags: [...skill.tags] })),
  };
  const kid = caip10Of(config.evm.chainId, config.keys.attester.address);
  return { ...card, signatures: [{ ...signJws(config.keys.attester, kid, card) }] };
}

/** The ERC-8004 registration file. */
export function agentRegistration(identity: ServiceIdentity): Record<string, unknown> {
  const { config, name, url } = identity;
  const { erc8004 } = config;
  return {
    type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
    name,
    description: DESCRIPTION,
    image: ICON,
    services: [
      { name: "web", endpoint: `${url}/v1/operator` },
      { name: "OpenAPI", endpoint: `${url}/openapi.json`, version: "3.1.0" },
      { name: "A2A", endpoint: `${url}/.well-known/agent-card.json`, version: "1.0" },
      ...(config.http.mcp ? [{ name: "MCP", endpoint: `${url}/mcp`, version: "2025-11-25" }] : []),
    ],
    x402Support: false,
    active: true,
    registrations: erc8004 === null ? [] : [{ agentId: erc8004.agentId, agentRegistry: erc8004.registry }],
    supportedTrust: ["reputation"],
    assay: {
      caip2: caip2Of(config.evm.chainId),
      escrow: config.evm.escrow,
      quorum: config.evm.quorum,
      attester: config.keys.attester.address,
    },
  };
}
