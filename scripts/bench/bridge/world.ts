import { join } from "node:path";
import { computeAddress } from "ethers";
import {
  adjudicatorConfigOf,
  agreementIdOf,
  documentHash,
  encodeDocument,
  type Address,
  type Agreement,
  type Hex,
  type Terms,
} from "@assay/protocol";
import {
  createLogger,
  loadConfig,
  startOperator,
  type Operator,
  type OperatorConfig,
} from "../../../oracle/src/index.ts";
import { createIngest, type Ingest } from "../../../oracle/src/ingest/index.ts";
import { createEvmChain, type EvmChain, type JsonRpc } from "../../../oracle/src/rpc/index.ts";
import { DATABASE_FILE, openSqliteStore, type Store } from "../../../oracle/src/store/index.ts";
import { startChain, type BenchChain } from "./chain.ts";
import { CHAIN_ID, ESCROW, QUORUM } from "./mock-chain.ts";
import { CODE_HASH, JUDGE, MockJudge } from "./mock-judge.ts";

export const KEYS = {
  attester: `0x${"a1".repeat(32)}`,
  submitter: `0x${"b2".repeat(32)}`,
  relayer: `0x${"c3".repeat(32)}`,
} as const;
const ATTESTER = computeAddress(KEYS.attester) as Address;
export const RELAYER = computeAddress(KEYS.relayer) as Address;

const AGREEMENT: Agreement = {
  schema: "assay/agreement/1",
  title: "A small delivery",
  task: "Deliver a file named report.md that names its sources.",
  requirements: [
    { id: "REQ-1", text: "report.md exists", check: { type: "file_exists", path: "report.md" } },
    { id: "REQ-2", text: "Every claim names a source" },
  ],
  evidenceRequired: [],
  adjudication: {
    network: "localnet",
    chainId: 61_127,
    consensusMain: "0xb7278A61aa25c888815aFC32Ad3cC52fF24fE575",
    contract: JUDGE,
    codeHash: CODE_HASH,
    relayers: [RELAYER],
    minValidators: 5,
    rounds: 2,
  },
};
const AGREEMENT_BYTES = encodeDocument(AGREEMENT);

const DAY = 86_400;

/** Terms that this operator judges; the windows are as long as the escrow allows. */
export const TERMS: Terms = {
  buyer: "0x1111111111111111111111111111111111111111",
  seller: "0x2222222222222222222222222222222222222222",
  reward: 25_000_000n,
  agreementHash: documentHash(AGREEMENT_BYTES),
  adjudicator: QUORUM,
  adjudicatorConfig: adjudicatorConfigOf([ATTESTER], 1),
  deliverBy: Math.floor(Date.now() / 1_000) + 60 * DAY,
  adjudicateBy: Math.floor(Date.now() / 1_000) + 80 * DAY,
  noVerdictSellerBps: 5_000,
  salt: 0n,
};

/** An agreement with a submission that is not on the chain yet. */
export interface Deal {
  readonly agreementId: Hex;
  readonly terms: Terms;
  readonly submissionHash: Hex;
  readonly submissionBytes: Uint8Array;
}

let salt = 1n;

/** New agreements with a submission each. */
export function deals(count: number): readonly Deal[] {
  return Array.from({ length: count }, () => {
    const terms = { ...TERMS, salt: salt++ };
    const agreementId = agreementIdOf(terms, CHAIN_ID, ESCROW);
    const submissionBytes = encodeDocument({
      schema: "assay/submission/1",
      agreementId,
      summary: "The report.",
      files: { "report.md": "Water is wet [1]. ".repeat(50) },
      links: [],
      evidence: [],
    });
    return { agreementId, terms, submissionBytes, submissionHash: documentHash(submissionBytes) };
  });
}

/** A deal as the chain takes it. */
export function onChain({ terms, submissionHash }: Deal): readonly [Terms, Hex] {
  return [terms, submissionHash];
}

/** A folder of an operator, and the chain that it is on. */
export interface Bench {
  readonly dataDir: string;
  readonly chain: BenchChain;
  readonly judge: MockJudge;
  /** Opens the database of the stopped operator. */
  openStore(): Store;
  start(): Promise<Operator>;
  /** When the operator signed its verdict about an agreement, wall clock in milliseconds; null when it has not. */
  signedAt(agreementId: Hex): Promise<number | null>;
}

export async function createBench(options: {
  readonly pastBlocks?: number;
  readonly pastAgreements?: number;
  readonly known?: boolean;
  readonly blockMilliseconds: number;
  readonly perBlock?: number;
  readonly pollMilliseconds: number;
  readonly finalAfter: () => number;
  /** The operator's folder. */
  readonly dataDir: string;
  /** ASSAY_… variables that differ from the benchmark's own. */
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<Bench> {
  const { dataDir } = options;
  const chain = await startChain({
    past: {
      blocks: options.pastBlocks ?? 4,
      agreements: options.pastAgreements ?? 0,
      terms: TERMS,
      known: options.known ?? false,
    },
    blockMilliseconds: options.blockMilliseconds,
    perBlock: options.perBlock ?? 1,
  });
  const judge = new MockJudge(RELAYER, KEYS.relayer, options.finalAfter);
  let operator: Operator | null = null;
  return {
    dataDir,
    chain,
    judge,
    openStore: () => openSqliteStore(join(dataDir, DATABASE_FILE)),
    async start() {
      operator = await startBenchOperator({ ...options, dataDir, rpc: chain.rpc, judge });
      return operator;
    },
    async signedAt(agreementId) {
      const response = await fetch(`${operator?.url ?? ""}/v1/agreements/${agreementId}`);
      const view = (await response.json()) as {
        submissions: { stages: { stage: string; at: string | null }[] }[];
      };
      const at = view.submissions.at(-1)?.stages.find(({ stage }) => stage === "attested")?.at;
      return at == null ? null : Date.parse(at);
    },
  };
}

function configOf(options: {
  readonly dataDir: string;
  readonly pollMilliseconds: number;
  readonly settings?: Readonly<Record<string, string>>;
}): OperatorConfig {
  return loadConfig({
    ASSAY_EVM_RPC_URL: "http://127.0.0.1:9",
    ASSAY_EVM_CHAIN_ID: String(CHAIN_ID),
    ASSAY_ESCROW: ESCROW,
    ASSAY_QUORUM: QUORUM,
    ASSAY_QUORUM_MEMBERS: ATTESTER,
    ASSAY_GENLAYER_RPC_URL: "http://127.0.0.1:9",
    ASSAY_GENLAYER_NETWORK: "localnet",
    ASSAY_ALLOW_ENV_KEYS: "1",
    ASSAY_ATTESTER_KEY: KEYS.attester,
    ASSAY_SUBMITTER_KEY: KEYS.submitter,
    ASSAY_RELAYER_KEY: KEYS.relayer,
    ASSAY_RANK_SECONDS: "0",
    ASSAY_DATA_DIR: options.dataDir,
    ASSAY_POLL_MILLISECONDS: String(options.pollMilliseconds),
    ...options.settings,
  });
}

function evmOf(config: OperatorConfig, rpc: JsonRpc): EvmChain {
  return createEvmChain({
    rpc,
    chainId: CHAIN_ID,
    escrow: ESCROW,
    quorum: QUORUM,
    finality: config.evm.finality,
  });
}

/** The real service on mock chains. Its log's lines are made, and not written. */
export function startBenchOperator(options: {
  readonly dataDir: string;
  readonly pollMilliseconds: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly rpc: JsonRpc;
  readonly judge: MockJudge;
}): Promise<Operator> {
  const config = configOf(options);
  return startOperator(config, {
    logger: createLogger(config.logLevel, { write: () => undefined }),
    judge: options.judge.judge(),
    chain: evmOf(config, options.rpc),
  });
}

/** The service's reader of the chain alone. */
export function createReader(bench: Bench, store: Store): Ingest {
  const config = configOf({ dataDir: bench.dataDir, pollMilliseconds: 1_000 });
  return createIngest({
    chain: evmOf(config, bench.chain.rpc),
    store,
    clock: { now: () => Date.now() },
    logger: createLogger("silent"),
    jurisdiction: {
      chainId: CHAIN_ID,
      escrow: ESCROW,
      quorum: QUORUM,
      members: config.members.addresses,
      configHash: config.members.configHash,
      jobs: null,
    },
    startBlock: 0,
    logRange: config.evm.logRange,
    documentWindowSeconds: null,
    boundary: () => undefined,
  });
}

/** Puts the documents of agreements into a stopped operator's database. */
export async function storeDocuments(store: Store, all: readonly Deal[]): Promise<void> {
  const at = Date.now();
  await Promise.all([
    store.putDocument({ hash: TERMS.agreementHash, kind: "agreement", bytes: AGREEMENT_BYTES }, at),
    ...all.map(({ submissionHash, submissionBytes }) =>
      store.putDocument({ hash: submissionHash, kind: "submission", bytes: submissionBytes }, at),
    ),
  ]);
}
