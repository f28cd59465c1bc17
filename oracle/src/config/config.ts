import { computeAddress } from "ethers";
import {
  adjudicatorConfigOf,
  findGenLayerNetwork,
  toAddress,
  type Address,
  type GenLayerNetwork,
  type Hex,
} from "@assay/protocol";
import { z } from "zod";
import { ConfigError, type ConfigProblem } from "./errors.ts";
import { Endpoint, Secret } from "./secret.ts";

/** When a block counts as final: the chain's own tag, or a number of blocks on top of it. */
export type Finality = "finalized" | "safe" | { readonly confirmations: number };

/** A private key of the operator, and the address that it signs for. */
export interface Key {
  readonly address: Address;
  readonly privateKey: Secret<Hex>;
}

/** Everything that an operator is told from outside. */
export interface OperatorConfig {
  readonly evm: {
    readonly endpoints: readonly Endpoint[];
    readonly chainId: number;
    readonly escrow: Address;
    readonly quorum: Address;
    /** First block that can hold a log of the escrow. */
    readonly startBlock: number;
    readonly finality: Finality;
    /** Most blocks that one log request may span. */
    readonly logRange: number;
    readonly tokenDecimals: number;
    /** Highest price per gas that is ever offered, in wei. */
    readonly maxFeePerGas: bigint;
    /** Chain seconds without inclusion after which a settlement is offered at a higher price. */
    readonly bumpAfterSeconds: number;
  };
  readonly members: {
    /** Ascending. */
    readonly addresses: readonly Address[];
    readonly threshold: number;
    /** `adjudicatorConfig` of the agreements that are this quorum's. */
    readonly configHash: Hex;
  };
  readonly genLayer: {
    readonly endpoint: Endpoint;
    readonly network: GenLayerNetwork;
  };
  /** Fellow operators' HTTP origins, asked for attestations and documents. */
  readonly peers: readonly Endpoint[];
  /** Chain seconds that each rank waits for the one before it to relay or deliver. */
  readonly rankSeconds: number;
  readonly keys: {
    readonly attester: Key;
    readonly submitter: Key;
    readonly relayer: Key;
  };
  /** Folder of the database. */
  readonly dataDir: string;
  readonly http: { readonly host: string; readonly port: number };
  readonly pollMilliseconds: number;
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
  readonly documents: {
    /** Chain seconds after the submission during which its document may arrive; null for half of what is left. */
    readonly windowSeconds: number | null;
    /** Bytes of all stored documents together. */
    readonly quotaBytes: number;
  };
}

const list = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** A parser as a zod step: what it throws becomes the problem's text. */
function parsed<T>(parse: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "is not valid" });
      return z.NEVER;
    }
  });
}

const address = parsed(toAddress);

const integer = (minimum: number, maximum: number) =>
  parsed((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum)
      throw new Error(`must be an integer from ${minimum} to ${maximum}`);
    return value;
  });

function endpointOf(text: string): Endpoint {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new Error("must be an http or https URL");
  return new Endpoint(url);
}

const endpoint = parsed(endpointOf);
const endpoints = parsed((text) => list(text).map(endpointOf));

const privateKey = parsed((text): Key => {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new Error("must be 0x and 64 hexadecimal digits");
  try {
    return { address: computeAddress(text) as Address, privateKey: new Secret(text.toLowerCase() as Hex) };
  } catch {
    throw new Error("is no private key of secp256k1");
  }
});

const finality = parsed((text): Finality => {
  if (text === "finalized" || text === "safe") return text;
  if (/^\d{1,6}$/.test(text)) return { confirmations: Number(text) };
  throw new Error('must be "finalized", "safe" or a number of confirmations');
});

const network = parsed((text) => {
  const found = findGenLayerNetwork(text);
  if (found === undefined) throw new Error("is no known GenLayer network");
  return found;
});

const gwei = parsed((text) => {
  if (!/^\d{1,9}$/.test(text) || text === "0") throw new Error("must be a whole number of gwei above 0");
  return BigInt(text) * 1_000_000_000n;
});

/** Absent or empty takes the default; anything else has to be right. */
const environment = z.object({
  ASSAY_EVM_RPC_URL: endpoints.refine((urls) => urls.length > 0, "must name at least one URL"),
  ASSAY_EVM_CHAIN_ID: integer(1, Number.MAX_SAFE_INTEGER),
  ASSAY_ESCROW: address,
  ASSAY_QUORUM: address,
  ASSAY_QUORUM_MEMBERS: parsed((text) =>
    list(text)
      .map(toAddress)
      .sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)),
  ),
  ASSAY_QUORUM_THRESHOLD: integer(1, 100).default(1),
  ASSAY_START_BLOCK: integer(0, Number.MAX_SAFE_INTEGER).default(0),
  ASSAY_EVM_FINALITY: finality.default("finalized"),
  ASSAY_EVM_LOG_RANGE: integer(1, 1_000_000).default(2_000),
  ASSAY_EVM_MAX_FEE_GWEI: gwei.default(500_000_000_000n),
  ASSAY_EVM_BUMP_SECONDS: integer(1, 86_400).default(60),
  ASSAY_TOKEN_DECIMALS: integer(0, 36).default(6),
  ASSAY_GENLAYER_RPC_URL: endpoint,
  ASSAY_GENLAYER_NETWORK: network,
  ASSAY_PEERS: endpoints.default([]),
  ASSAY_RANK_SECONDS: integer(0, 86_400).default(45),
  ASSAY_ATTESTER_KEY: privateKey,
  ASSAY_SUBMITTER_KEY: privateKey,
  ASSAY_RELAYER_KEY: privateKey,
  ASSAY_DATA_DIR: z.string().default(".assay/operator"),
  ASSAY_HTTP_HOST: z.string().default("127.0.0.1"),
  ASSAY_HTTP_PORT: integer(0, 65_535).default(0),
  ASSAY_POLL_MILLISECONDS: integer(20, 600_000).default(2_000),
  ASSAY_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  ASSAY_DOCUMENT_WINDOW_SECONDS: integer(1, 90 * 86_400).optional(),
  ASSAY_DOCUMENT_QUOTA_BYTES: integer(1_048_576, Number.MAX_SAFE_INTEGER).default(1_073_741_824),
});

type Environment = z.infer<typeof environment>;

/**
 * Reads the configuration of an operator from environment variables.
 *
 * @throws ConfigError that lists every problem at once; secrets never appear in it.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): OperatorConfig {
  const given = Object.fromEntries(
    Object.keys(environment.shape).flatMap((name) => {
      const value = env[name]?.trim();
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  const result = environment.safeParse(given);
  if (!result.success)
    throw new ConfigError(
      result.error.issues.map((issue) => {
        const variable = String(issue.path[0]);
        return { variable, message: variable in given ? issue.message : "is required" };
      }),
    );
  const problems = contradictions(result.data);
  if (problems.length > 0) throw new ConfigError(problems);
  return assemble(result.data);
}

/** What each value alone can't tell. */
function contradictions(values: Environment): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const keys = [values.ASSAY_ATTESTER_KEY, values.ASSAY_SUBMITTER_KEY, values.ASSAY_RELAYER_KEY];
  if (new Set(keys.map((key) => key.address)).size < keys.length)
    problems.push({
      variable: "ASSAY_ATTESTER_KEY",
      message: "must differ from the submitter's and the relayer's key, and those from each other",
    });
  try {
    adjudicatorConfigOf(values.ASSAY_QUORUM_MEMBERS, values.ASSAY_QUORUM_THRESHOLD);
  } catch (error) {
    problems.push({
      variable: "ASSAY_QUORUM_MEMBERS",
      message: error instanceof Error ? error.message : "is not valid",
    });
  }
  if (!values.ASSAY_QUORUM_MEMBERS.includes(values.ASSAY_ATTESTER_KEY.address))
    problems.push({
      variable: "ASSAY_QUORUM_MEMBERS",
      message: `must hold this operator's attester ${values.ASSAY_ATTESTER_KEY.address}`,
    });
  if (values.ASSAY_ESCROW === values.ASSAY_QUORUM)
    problems.push({ variable: "ASSAY_QUORUM", message: "must differ from ASSAY_ESCROW" });
  return problems;
}

function assemble(values: Environment): OperatorConfig {
  return {
    evm: {
      endpoints: values.ASSAY_EVM_RPC_URL,
      chainId: values.ASSAY_EVM_CHAIN_ID,
      escrow: values.ASSAY_ESCROW,
      quorum: values.ASSAY_QUORUM,
      startBlock: values.ASSAY_START_BLOCK,
      finality: values.ASSAY_EVM_FINALITY,
      logRange: values.ASSAY_EVM_LOG_RANGE,
      tokenDecimals: values.ASSAY_TOKEN_DECIMALS,
      maxFeePerGas: values.ASSAY_EVM_MAX_FEE_GWEI,
      bumpAfterSeconds: values.ASSAY_EVM_BUMP_SECONDS,
    },
    members: {
      addresses: values.ASSAY_QUORUM_MEMBERS,
      threshold: values.ASSAY_QUORUM_THRESHOLD,
      configHash: adjudicatorConfigOf(values.ASSAY_QUORUM_MEMBERS, values.ASSAY_QUORUM_THRESHOLD),
    },
    genLayer: { endpoint: values.ASSAY_GENLAYER_RPC_URL, network: values.ASSAY_GENLAYER_NETWORK },
    peers: values.ASSAY_PEERS,
    rankSeconds: values.ASSAY_RANK_SECONDS,
    keys: {
      attester: values.ASSAY_ATTESTER_KEY,
      submitter: values.ASSAY_SUBMITTER_KEY,
      relayer: values.ASSAY_RELAYER_KEY,
    },
    dataDir: values.ASSAY_DATA_DIR,
    http: { host: values.ASSAY_HTTP_HOST, port: values.ASSAY_HTTP_PORT },
    pollMilliseconds: values.ASSAY_POLL_MILLISECONDS,
    logLevel: values.ASSAY_LOG_LEVEL,
    documents: {
      windowSeconds: values.ASSAY_DOCUMENT_WINDOW_SECONDS ?? null,
      quotaBytes: values.ASSAY_DOCUMENT_QUOTA_BYTES,
    },
  };
}
