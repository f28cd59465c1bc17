import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { computeAddress } from "ethers";
import {
  adjudicatorConfigOf,
  documentHash,
  encodeDocument,
  type Address,
  type Agreement,
  type Hex,
  type Submission,
  type Terms,
} from "@assay/protocol";
import {
  createLogger,
  loadConfig,
  startOperator,
  type Operator,
  type OperatorOptions,
} from "../../../oracle/src/index.ts";
import { createEvmChain } from "../../../oracle/src/rpc/index.ts";
import { CHAIN_ID, ESCROW, QUORUM, SimEvm } from "./sim-evm.ts";
import { JUDGE, JUDGE_CODE_HASH, SimGenLayer } from "./sim-genlayer.ts";

/** Private keys by role; nothing holds money here. */
export const KEYS = {
  attester: `0x${"a1".repeat(32)}`,
  submitter: `0x${"b2".repeat(32)}`,
  relayer: `0x${"c3".repeat(32)}`,
} as const;
export const POLL_MILLISECONDS = 20;

/** Both chains, an operator's folder, and whatever is needed to make agreements on them. */
export interface World {
  readonly evm: SimEvm;
  readonly genLayer: SimGenLayer;
  readonly dataDir: string;
  /** Environment of the operator. */
  readonly env: Record<string, string>;
  /** Every line that operators logged. */
  readonly log: string[];
  /** The network's URL. */
  readonly genLayerUrl: string;
  /** Starts an operator on this world's folder. */
  start(options?: OperatorOptions, env?: Record<string, string>): Promise<Operator>;
  /** Stops operators that still run, and removes everything. */
  end(): Promise<void>;
}

export async function createWorld(changes: Record<string, string> = {}): Promise<World> {
  const evm = new SimEvm(Math.floor(Date.now() / 1000));
  const genLayer = new SimGenLayer();
  const genLayerUrl = await genLayer.start();
  const dataDir = await mkdtemp(join(tmpdir(), "assay-oracle-"));
  const operators: Operator[] = [];
  const log: string[] = [];
  const env: Record<string, string> = {
    ASSAY_EVM_RPC_URL: "http://127.0.0.1:9/never-asked",
    ASSAY_EVM_CHAIN_ID: String(CHAIN_ID),
    ASSAY_ESCROW: ESCROW,
    ASSAY_QUORUM: QUORUM,
    ASSAY_QUORUM_MEMBERS: ADDRESSES.attester,
    ASSAY_QUORUM_THRESHOLD: "1",
    ASSAY_GENLAYER_RPC_URL: genLayerUrl,
    ASSAY_GENLAYER_NETWORK: "localnet",
    ASSAY_ALLOW_ENV_KEYS: "1",
    ASSAY_ATTESTER_KEY: KEYS.attester,
    ASSAY_SUBMITTER_KEY: KEYS.submitter,
    ASSAY_RELAYER_KEY: KEYS.relayer,
    ASSAY_RANK_SECONDS: "0",
    ASSAY_DATA_DIR: dataDir,
    ASSAY_POLL_MILLISECONDS: String(POLL_MILLISECONDS),
    ASSAY_LOG_LEVEL: "trace",
    ...changes,
  };
  return {
    evm,
    genLayer,
    dataDir,
    genLayerUrl,
    env,
    log,
    async start(options = {}, more = {}) {
      const config = loadConfig({ ...env, ...more });
      const operator = await startOperator(config, {
        logger: createLogger(config.logLevel, { write: (line) => void log.push(line) }),
        chain: createEvmChain({
          rpc: evm.rpc(),
          chainId: CHAIN_ID,
          escrow: ESCROW,
          quorum: QUORUM,
          contracts: config.jobs?.contracts ?? [],
          finality: config.evm.finality,
        }),
        ...options,
      });
      operators.push(operator);
      return operator;
    },
    async end() {
      await Promise.all(operators.map((operator) => operator.stop()));
      await genLayer.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const ADDRESSES = {
  attester: computeAddress(KEYS.attester) as Address,
  submitter: computeAddress(KEYS.submitter) as Address,
  relayer: computeAddress(KEYS.relayer) as Address,
} as const;

/** An agreement with its document, before or after it is funded. */
export interface Deal {
  readonly terms: Terms;
  readonly agreement: Agreement;
  readonly agreementBytes: Uint8Array;
}

let salt = 0n;

/** Terms and document of an agreement that this world's operator may judge. */
export function dealOf(
  world: { readonly evm: { readonly latest: { readonly timestamp: number } } },
  changes: {
    readonly terms?: Partial<Terms>;
    readonly adjudication?: Partial<Agreement["adjudication"]>;
    readonly agreement?: Partial<Agreement>;
  } = {},
): Deal {
  const agreement: Agreement = {
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
      codeHash: JUDGE_CODE_HASH,
      relayers: [ADDRESSES.relayer],
      minValidators: 5,
      rounds: 2,
      ...changes.adjudication,
    },
    ...changes.agreement,
  };
  const agreementBytes = encodeDocument(agreement);
  const now = world.evm.latest.timestamp;
  const terms: Terms = {
    buyer: "0x1111111111111111111111111111111111111111",
    seller: "0x2222222222222222222222222222222222222222",
    reward: 25_000_000n,
    agreementHash: documentHash(agreementBytes),
    adjudicator: QUORUM,
    adjudicatorConfig: adjudicatorConfigOf([ADDRESSES.attester], 1),
    deliverBy: now + 3_600,
    adjudicateBy: now + 10_800,
    noVerdictSellerBps: 5_000,
    salt: salt++,
    ...changes.terms,
  };
  return { terms, agreement, agreementBytes };
}

/** A submission's document. */
export function submissionOf(
  agreementId: Hex,
  text = "Water is wet [1].",
): { readonly hash: Hex; readonly bytes: Uint8Array } {
  const submission: Submission = {
    schema: "assay/submission/1",
    agreementId,
    summary: "The report.",
    files: { "report.md": text },
    links: [],
    evidence: [],
  };
  const bytes = encodeDocument(submission);
  return { hash: documentHash(bytes), bytes };
}

/** Hands a document to an operator. */
export async function put(operator: Pick<Operator, "url">, bytes: Uint8Array): Promise<Response> {
  return fetch(`${operator.url}/v1/documents/${documentHash(bytes)}`, {
    method: "PUT",
    body: Buffer.from(bytes),
  });
}

/** Funds an agreement, submits to it, and hands both documents to the operator. */
export async function deliver(
  world: World,
  operator: Operator,
  deal: Deal = dealOf(world),
): Promise<{ readonly agreementId: Hex; readonly submissionHash: Hex }> {
  const agreementId = world.evm.fund(deal.terms);
  const submission = submissionOf(agreementId);
  await put(operator, deal.agreementBytes);
  await put(operator, submission.bytes);
  world.evm.submit(agreementId, submission.hash);
  return { agreementId, submissionHash: submission.hash };
}

interface SubmissionView {
  readonly state: string;
  readonly reason: string | null;
  readonly lastError: string | null;
  readonly verdict: { readonly outcome: string; readonly verdictHash: Hex } | null;
  readonly judge: { readonly transactions: readonly Hex[]; readonly inconclusive: readonly Hex[] };
  readonly transitions: readonly { readonly to: string; readonly event: string }[];
  readonly stages: readonly { readonly stage: string; readonly at: string | null }[];
}

/** The operator's view of the newest submission of an agreement; null while it has none. */
export async function submissionView(operator: Operator, agreementId: Hex): Promise<SubmissionView | null> {
  const response = await fetch(`${operator.url}/v1/agreements/${agreementId}`);
  if (!response.ok) return null;
  const { submissions } = (await response.json()) as { submissions: SubmissionView[] };
  return submissions.at(-1) ?? null;
}

/** Lets blocks come until the submission is in one of these states. */
export async function until(
  world: World,
  operator: Operator,
  agreementId: Hex,
  states: readonly string[],
  options: { readonly mine?: boolean; readonly seconds?: number; readonly timeout?: number } = {},
): Promise<SubmissionView> {
  const { mine = true, seconds = 1, timeout = 8_000 } = options;
  const deadline = performance.now() + timeout;
  for (;;) {
    const view = await submissionView(operator, agreementId);
    if (view !== null && states.includes(view.state)) return view;
    if (performance.now() > deadline) {
      const trace = view?.transitions.map(({ event, to }) => `${event} -> ${to}`).join(", ");
      throw new Error(
        `still ${view?.state ?? "unknown"} (${view?.lastError ?? view?.reason ?? "no error"}): ${trace ?? ""}`,
      );
    }
    if (mine) world.evm.mine(1, seconds);
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
}
