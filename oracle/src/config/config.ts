import { adjudicatorConfigOf, type Address, type GenLayerNetwork, type Hex } from "@assay/protocol";
import { ConfigError, type ConfigProblem } from "./errors.ts";
import { loadKeys, type Role } from "./keys.ts";
import type { Erc8004Agent } from "./parsers.ts";
import { parseSettings, readSettings, type Environment } from "./read.ts";
import type { Endpoint, Secret } from "./secret.ts";
import type { Values } from "./settings.ts";
import type { Finality, Key } from "./value-types.ts";

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
  /** ERC-8183 contracts whose jobs are evaluated, and the evaluator that those name; null when there are none. */
  readonly jobs: {
    readonly evaluator: Address;
    /** Ascending. */
    readonly contracts: readonly Address[];
  } | null;
  readonly genLayer: {
    /** What leads to money is asked of two of them, when there are several. */
    readonly endpoints: readonly Endpoint[];
    readonly network: GenLayerNetwork;
  };
  /** Where the set's operators.json is: a path, or a document elsewhere. Null when peers are named one by one. */
  readonly operatorsFile: string | Endpoint | null;
  /** Fellow operators named one by one; none when there is an operators.json. */
  readonly peers: readonly Endpoint[];
  /** Chain seconds that each rank waits for the one before it to relay or deliver. */
  readonly rankSeconds: number;
  /** Transactions of one key that may be without a receipt at the same time. */
  readonly maxInFlight: number;
  readonly keys: Readonly<Record<Role, Key>>;
  /** Folder of the database. */
  readonly dataDir: string;
  /** PostgreSQL database that several workers share; null for a file in the folder. */
  readonly databaseUrl: Secret<string> | null;
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Requests per second of one client, and of all together. */
    readonly rates: { readonly perClient: number; readonly total: number };
    /** Reverse proxies in front; 0: nobody's X-Forwarded-For is believed. */
    readonly trustedProxies: number;
    /** Whether /mcp is served. */
    readonly mcp: boolean;
  };
  /** Where the operator is registered as an ERC-8004 agent; null when it is not. */
  readonly erc8004: Erc8004Agent | null;
  readonly pollMilliseconds: number;
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
  readonly documents: {
    /** Chain seconds after the submission during which its document may arrive; null for half of what is left. */
    readonly windowSeconds: number | null;
    /** Bytes of all stored documents together. */
    readonly quotaBytes: number;
    /** IPFS gateways, asked after the peers. */
    readonly gateways: readonly Endpoint[];
    /** RPC API of a Kubo node that pins what is stored; null for none. */
    readonly ipfsApi: Endpoint | null;
  };
}

/**
 * Reads the configuration of an operator from environment variables and, when one is named, a file.
 *
 * @param file path of the configuration file; `ASSAY_CONFIG` names one when it is left out.
 * @throws ConfigError that lists every problem at once; secrets never appear in it.
 */
export function loadConfig(env: Environment, file?: string): OperatorConfig {
  const { values, problems } = parseSettings(readSettings(env, file));
  const { keys, problems: keyProblems } = loadKeys(values, problems);
  const all = [...problems, ...keyProblems, ...contradictions(values, keys)];
  if (all.length > 0) throw new ConfigError(all);
  // Nothing is missing: whatever is required and absent would be among the problems.
  return assemble(values as Values, keys as Record<Role, Key>);
}

/** What each value alone can't tell. */
function contradictions(
  values: Partial<Values>,
  { attester }: Readonly<Partial<Record<Role, Key>>>,
): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const { ASSAY_QUORUM_MEMBERS: members, ASSAY_QUORUM_THRESHOLD: threshold } = values;
  if (members !== undefined) {
    try {
      adjudicatorConfigOf(members, threshold ?? moreThanTwoThirds(members.length));
    } catch (error) {
      problems.push({
        variable: "ASSAY_QUORUM_MEMBERS",
        message: error instanceof Error ? error.message : "is not valid",
      });
    }
  }
  if (members !== undefined && attester !== undefined && !members.includes(attester.address))
    problems.push({
      variable: "ASSAY_QUORUM_MEMBERS",
      message: `must hold this operator's attester ${attester.address}`,
    });
  if (values.ASSAY_ESCROW !== undefined && values.ASSAY_ESCROW === values.ASSAY_QUORUM)
    problems.push({ variable: "ASSAY_QUORUM", message: "must differ from ASSAY_ESCROW" });
  problems.push(...jobContradictions(values));
  if (values.ASSAY_OPERATORS_FILE !== undefined && values.ASSAY_PEERS !== undefined)
    problems.push({
      variable: "ASSAY_PEERS",
      message: "is given beside ASSAY_OPERATORS_FILE; give one of the two",
    });
  if (
    typeof values.ASSAY_OPERATORS_FILE === "object" &&
    !values.ASSAY_OPERATORS_FILE.origin.startsWith("https://")
  )
    problems.push({ variable: "ASSAY_OPERATORS_FILE", message: "must be a path or an https URL" });
  return problems;
}

/** An evaluator is of no use without contracts, nor they without one; and each contract has one part to play. */
function jobContradictions(values: Partial<Values>): readonly ConfigProblem[] {
  const { ASSAY_ERC8183_EVALUATOR: evaluator, ASSAY_ERC8183_CONTRACTS: contracts } = values;
  if (contracts === undefined) return [];
  if (evaluator === undefined)
    return contracts.length === 0
      ? []
      : [{ variable: "ASSAY_ERC8183_EVALUATOR", message: "is required with ASSAY_ERC8183_CONTRACTS" }];
  if (contracts.length === 0)
    return [{ variable: "ASSAY_ERC8183_CONTRACTS", message: "is required with ASSAY_ERC8183_EVALUATOR" }];
  const problems: ConfigProblem[] = [];
  const taken = [values.ASSAY_ESCROW, values.ASSAY_QUORUM];
  if (taken.includes(evaluator))
    problems.push({
      variable: "ASSAY_ERC8183_EVALUATOR",
      message: "must differ from ASSAY_ESCROW and ASSAY_QUORUM",
    });
  if (contracts.some((contract) => [...taken, evaluator].includes(contract)))
    problems.push({
      variable: "ASSAY_ERC8183_CONTRACTS",
      message: "must not name ASSAY_ESCROW, ASSAY_QUORUM or ASSAY_ERC8183_EVALUATOR",
    });
  if (new Set(contracts).size !== contracts.length)
    problems.push({ variable: "ASSAY_ERC8183_CONTRACTS", message: "names a contract twice" });
  return problems;
}

/** With so many honest members no two certificates can differ, even if every other one lies. */
function moreThanTwoThirds(members: number): number {
  return Math.floor((2 * members) / 3) + 1;
}

function assemble(values: Values, keys: Record<Role, Key>): OperatorConfig {
  const members = values.ASSAY_QUORUM_MEMBERS;
  const threshold = values.ASSAY_QUORUM_THRESHOLD ?? moreThanTwoThirds(members.length);
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
    members: { addresses: members, threshold, configHash: adjudicatorConfigOf(members, threshold) },
    genLayer: { endpoints: values.ASSAY_GENLAYER_RPC_URL, network: values.ASSAY_GENLAYER_NETWORK },
    jobs:
      values.ASSAY_ERC8183_EVALUATOR === undefined
        ? null
        : { evaluator: values.ASSAY_ERC8183_EVALUATOR, contracts: values.ASSAY_ERC8183_CONTRACTS },
    operatorsFile: values.ASSAY_OPERATORS_FILE ?? null,
    peers: values.ASSAY_PEERS ?? [],
    maxInFlight: values.ASSAY_MAX_IN_FLIGHT,
    rankSeconds: values.ASSAY_RANK_SECONDS,
    keys,
    dataDir: values.ASSAY_DATA_DIR,
    databaseUrl: values.ASSAY_DATABASE_URL ?? null,
    http: {
      host: values.ASSAY_HTTP_HOST,
      port: values.ASSAY_HTTP_PORT,
      rates: { perClient: values.ASSAY_HTTP_RATE, total: values.ASSAY_HTTP_RATE_TOTAL },
      trustedProxies: values.ASSAY_HTTP_TRUSTED_PROXIES,
      mcp: values.ASSAY_MCP,
    },
    erc8004: values.ASSAY_ERC8004_AGENT ?? null,
    pollMilliseconds: values.ASSAY_POLL_MILLISECONDS,
    logLevel: values.ASSAY_LOG_LEVEL,
    documents: {
      windowSeconds: values.ASSAY_DOCUMENT_WINDOW_SECONDS ?? null,
      quotaBytes: values.ASSAY_DOCUMENT_QUOTA_BYTES,
      gateways: values.ASSAY_IPFS_GATEWAYS,
      ipfsApi: values.ASSAY_IPFS_API ?? null,
    },
  };
}
