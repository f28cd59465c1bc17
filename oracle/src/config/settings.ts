import type { z } from "zod";
import * as parse from "./parsers.ts";

/** One thing that an operator can be told, in the environment or in the configuration file. */
export interface Setting<T> {
  readonly parse: z.ZodType<T, string>;
  /** Taken, as if it had been given, when the setting is absent. */
  readonly fallback?: string;
  readonly required: boolean;
  /** One line for `--help`. */
  readonly help: string;
}

type Parser<T> = z.ZodType<T, string>;

const required = <T>(parse: Parser<T>, help: string): Setting<T> => ({ parse, required: true, help });

const withDefault = <T>(parse: Parser<T>, fallback: string, help: string): Setting<T> => ({
  parse,
  fallback,
  required: false,
  help,
});

const optional = <T>(parse: Parser<T>, help: string): Setting<T | undefined> => ({
  parse,
  required: false,
  help,
});

/** Every setting, in the order in which `--help` lists them. */
export const SETTINGS = {
  ASSAY_EVM_RPC_URL: required(
    parse.someEndpoints,
    "endpoint of the EVM chain, or several with commas: then two must agree",
  ),
  ASSAY_EVM_CHAIN_ID: required(
    parse.integer(1, Number.MAX_SAFE_INTEGER),
    "checked at the start and every minute",
  ),
  ASSAY_ESCROW: required(parse.address, "AgreementEscrow"),
  ASSAY_QUORUM: required(parse.address, "VerdictQuorum"),
  ASSAY_QUORUM_MEMBERS: required(
    parse.addresses,
    "attesters of the set, with commas; other sets are left alone",
  ),
  ASSAY_QUORUM_THRESHOLD: optional(
    parse.integer(1, 100),
    "signatures that a certificate needs; more than two thirds of the members when absent",
  ),
  ASSAY_ERC8183_CONTRACTS: withDefault(
    parse.addresses,
    "",
    "ERC-8183 contracts whose jobs are evaluated, with commas; none when absent",
  ),
  ASSAY_ERC8183_EVALUATOR: optional(
    parse.address,
    "Erc8183Evaluator of this set, which such a job names as its evaluator",
  ),
  ASSAY_START_BLOCK: withDefault(
    parse.integer(0, Number.MAX_SAFE_INTEGER),
    "0",
    "first block that can hold a log of the escrow, or of a watched ERC-8183 contract",
  ),
  ASSAY_EVM_FINALITY: withDefault(
    parse.finality,
    "finalized",
    "finalized, safe, or a number of confirmations",
  ),
  ASSAY_EVM_LOG_RANGE: withDefault(parse.integer(1, 1_000_000), "2000", "most blocks per log request"),
  ASSAY_EVM_MAX_FEE_GWEI: withDefault(parse.gwei, "500", "highest price per gas that is offered"),
  ASSAY_EVM_BUMP_SECONDS: withDefault(
    parse.integer(1, 86_400),
    "60",
    "seconds without inclusion before a settlement is offered for more",
  ),
  ASSAY_TOKEN_DECIMALS: withDefault(
    parse.integer(0, 36),
    "6",
    "refused when the escrow's token says otherwise",
  ),
  ASSAY_GENLAYER_RPC_URL: required(
    parse.endpoints,
    "endpoints of the GenLayer network, with commas; of several, two must agree",
  ),
  ASSAY_GENLAYER_NETWORK: required(parse.network, "name of the network in the protocol's table"),
  ASSAY_OPERATORS_FILE: optional(
    parse.pathOrUrl,
    "operators.json of the set, a path or an https URL: whom to ask for attestations and documents",
  ),
  ASSAY_PEERS: optional(
    parse.endpoints,
    "base URLs of the other operators, with commas, instead of an operators.json",
  ),
  ASSAY_MAX_IN_FLIGHT: withDefault(
    parse.integer(1, 256),
    "16",
    "transactions of one key that may be without a receipt at a time; few nodes keep more of one account",
  ),
  ASSAY_RANK_SECONDS: withDefault(
    parse.integer(0, 86_400),
    "45",
    "chain seconds that each rank waits for the one before it",
  ),
  ASSAY_ATTESTER_KEYSTORE: optional(parse.text, "keystore v3 file of the key that signs certificates"),
  ASSAY_ATTESTER_PASSWORD_FILE: optional(parse.text, "file with its password"),
  ASSAY_SUBMITTER_KEYSTORE: optional(
    parse.text,
    "keystore v3 file of the key that pays gas on the EVM chain",
  ),
  ASSAY_SUBMITTER_PASSWORD_FILE: optional(parse.text, "file with its password"),
  ASSAY_RELAYER_KEYSTORE: optional(parse.text, "keystore v3 file of the key that pays gas on GenLayer"),
  ASSAY_RELAYER_PASSWORD_FILE: optional(parse.text, "file with its password"),
  ASSAY_PASSWORD_FILE: optional(
    parse.text,
    "file with the password of every keystore that has no file of its own",
  ),
  ASSAY_ALLOW_ENV_KEYS: withDefault(
    parse.flag,
    "0",
    "1 allows ASSAY_ATTESTER_KEY, ASSAY_SUBMITTER_KEY and ASSAY_RELAYER_KEY; for development chains",
  ),
  ASSAY_ATTESTER_KEY: optional(parse.privateKey, "raw private key, instead of a keystore"),
  ASSAY_SUBMITTER_KEY: optional(parse.privateKey, "raw private key, instead of a keystore"),
  ASSAY_RELAYER_KEY: optional(parse.privateKey, "raw private key, instead of a keystore"),
  ASSAY_DATA_DIR: withDefault(parse.text, ".assay/operator", "folder of the database"),
  ASSAY_DATABASE_URL: optional(
    parse.databaseUrl,
    "PostgreSQL database that several workers of this operator share, instead of a file in the folder",
  ),
  ASSAY_HTTP_HOST: withDefault(parse.text, "127.0.0.1", "interface to listen on"),
  ASSAY_HTTP_PORT: withDefault(parse.integer(0, 65_535), "0", "port to listen on; 0 for any free one"),
  ASSAY_HTTP_RATE: withDefault(
    parse.integer(1, 1_000_000),
    "100",
    "requests per second that one client may make; four seconds' worth may come at once",
  ),
  ASSAY_HTTP_RATE_TOTAL: withDefault(
    parse.integer(1, 1_000_000),
    "500",
    "requests per second that all clients together may make",
  ),
  ASSAY_HTTP_TRUSTED_PROXIES: withDefault(
    parse.integer(0, 10),
    "0",
    "reverse proxies in front, whose X-Forwarded-For tells the clients apart",
  ),
  ASSAY_MCP: withDefault(parse.flag, "0", "1 serves the Model Context Protocol at /mcp"),
  ASSAY_ERC8004_AGENT: optional(
    parse.erc8004Agent,
    "this operator in an ERC-8004 identity registry, such as 7@eip155:8453:0x…, for its registration file",
  ),
  ASSAY_POLL_MILLISECONDS: withDefault(parse.integer(20, 600_000), "2000", "pause between two looks"),
  ASSAY_LOG_LEVEL: withDefault(
    parse.oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
    "info",
    "of the JSON lines on standard error",
  ),
  ASSAY_DOCUMENT_WINDOW_SECONDS: optional(
    parse.integer(1, 90 * 86_400),
    "chain seconds during which a submission's document may arrive; half of what is left when absent",
  ),
  ASSAY_DOCUMENT_QUOTA_BYTES: withDefault(
    parse.integer(1_048_576, Number.MAX_SAFE_INTEGER),
    "1073741824",
    "of all stored documents",
  ),
  ASSAY_IPFS_GATEWAYS: withDefault(
    parse.endpoints,
    "",
    "IPFS gateways that documents are fetched from after the peers, with commas",
  ),
  ASSAY_IPFS_API: optional(parse.endpoint, "RPC API of a Kubo node that stored documents are pinned on"),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** What the settings parse to. */
export type Values = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};

/** The variable that names the configuration file; `--config` does the same. */
export const CONFIG_FILE_VARIABLE = "ASSAY_CONFIG";

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
