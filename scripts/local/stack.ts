import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JsonRpcProvider, Wallet } from "ethers";
import {
  buildSubgraph,
  deployFiatToken,
  placeSubgraph,
  startEvm,
  startGenLayerNetwork,
  startGraphNode,
  startPostgres,
  type Evm,
  type FiatToken,
  type GenLayerNetwork,
  type GraphNode,
  type LocalnetError,
  type Postgres,
} from "@assay/localnet";
import { findGenLayerNetwork, type Address, type Hex } from "@assay/protocol";
import { deployEvm, type EvmDeployment } from "../deploy/evm.ts";
import { deployJudge, genLayerChain, type JudgeDeployment } from "../deploy/judge.ts";
import { startOperatorProcess, type OperatorProcess } from "./operator.ts";
import type { Venue } from "./parties.ts";

const USDC = 10n ** 6n;
const VALIDATORS = 5;

/** Ports to listen on; a free one is taken where none is given. */
export interface Ports {
  evm?: number;
  genlayer?: number;
  operator?: number;
  /** graph-node's queries. */
  graph?: number;
}

export interface StackOptions {
  ports?: Ports;
  /** Told in a few words whenever a part is up. */
  onProgress?: (part: string) => void;
  /** Seconds that GenLayer keeps a decision open to appeal. */
  finalityWindowSeconds?: number;
  /** Judging rounds that agreements of this stack allow. */
  rounds?: number;
  /** Whether to bring up PostgreSQL and graph-node too. */
  graph?: boolean;
  /** Further ASSAY_… settings of the operator. */
  operatorSettings?: Record<string, string>;
}

/** The people of the demonstration, each with a key that anvil funds and everybody knows. */
export interface Cast {
  deployer: Wallet;
  buyer: Wallet;
  seller: Wallet;
  /** Pays gas for what others signed. */
  relayer: Wallet;
  /** The operator's three keys: it signs verdicts, pays for EVM transactions, pays for GenLayer transactions. */
  attester: Wallet;
  submitter: Wallet;
  judgeRelayer: Wallet;
}

/** The whole system on one machine, every part up and connected. */
export interface Stack {
  venue: Venue;
  evm: Evm;
  token: FiatToken;
  contracts: EvmDeployment;
  genlayer: GenLayerNetwork;
  judge: JudgeDeployment;
  graph: GraphNode | undefined;
  cast: Cast;
  /** The operator that is running now. */
  readonly operator: OperatorProcess;
  /** Ends the operator (`how` decides whether in good order) and starts it again on the same data. */
  restartOperator(how: "stop" | "kill"): Promise<void>;
  /** Resolves when any part ends by itself. */
  failed: Promise<LocalnetError>;
  /** Ends everything, last started first. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Brings up the chains, the contracts, the judge, the index and one operator.
 *
 * @throws LocalnetError in one sentence when a part does not come up; whatever was up has been ended by then
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let next = stops.pop(); next; next = stops.pop()) await next().catch(() => undefined);
  };
  const up = async <T extends { stop(): Promise<void> }>(part: string, starting: Promise<T>): Promise<T> => {
    const handle = await starting;
    stops.push(() => handle.stop());
    options.onProgress?.(part);
    return handle;
  };
  try {
    return await assemble(options, stops, stop, up);
  } catch (error) {
    await stop();
    throw error;
  }
}

function genlayerNetwork() {
  const network = findGenLayerNetwork("localnet");
  if (!network) throw new Error("The network table has no GenLayer network localnet");
  return network;
}

/** Waits for all, so that nothing is still starting when the first failure is reported. */
async function allUp(...sides: (Promise<unknown> | undefined)[]): Promise<void> {
  const failure = (await Promise.allSettled(sides)).find((side) => side.status === "rejected");
  if (failure) throw failure.reason;
}

type Up = <T extends { stop(): Promise<void> }>(part: string, starting: Promise<T>) => Promise<T>;

async function assemble(
  options: StackOptions,
  stops: (() => Promise<void>)[],
  stop: () => Promise<void>,
  up: Up,
): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), "assay-"));
  stops.push(() => rm(folder, { recursive: true, force: true }));

  const ports = options.ports ?? {};
  const evmSide = startEvmSide(up, ports.evm);
  const genlayerSide = startGenLayerSide(up, options.finalityWindowSeconds ?? 2, ports.genlayer);
  const postgresSide = options.graph === false ? undefined : up("PostgreSQL", startPostgres());
  await allUp(evmSide, genlayerSide, postgresSide);
  const { evm, provider, cast, token, contracts } = await evmSide;
  const { genlayer, judge } = await genlayerSide;
  const postgres = await postgresSide;
  stops.push(() => Promise.resolve(provider.destroy()));

  const { name, chainId, consensusMain } = genlayerNetwork();
  const venue: Venue = {
    provider,
    chainId: evm.chainId,
    token: token.address,
    escrow: contracts.escrow,
    quorum: contracts.quorum,
    members: [cast.attester.address as Address],
    threshold: 1,
    adjudication: {
      network: name,
      chainId,
      consensusMain,
      contract: judge.contract,
      codeHash: judge.codeHash,
      relayers: [cast.judgeRelayer.address as Address],
      minValidators: VALIDATORS,
      rounds: options.rounds ?? 3,
    },
  };

  const settings = {
    ...operatorSettings(venue, evm, genlayer, contracts, cast, join(folder, "operator")),
    ASSAY_HTTP_PORT: String(ports.operator ?? 0),
    ...options.operatorSettings,
  };
  await mkdir(join(folder, "operator"));
  const operatorSide = up("operator", startOperatorProcess(settings));
  const graphSide =
    postgres && up("graph-node", startGraph(evm, contracts, postgres, join(folder, "subgraph"), ports.graph));
  await allUp(operatorSide, graphSide);
  const graph = await graphSide;
  let operator = await operatorSide;
  stops.push(() => operator.stop());

  return {
    venue,
    evm,
    token,
    contracts,
    genlayer,
    judge,
    graph,
    cast,
    get operator() {
      return operator;
    },
    restartOperator: async (how) => {
      await operator[how]();
      operator = await startOperatorProcess(settings);
    },
    failed: Promise.race([evm, postgres, graph].flatMap((part) => (part ? [part.failed] : []))),
    stop,
  };
}

async function startGraph(
  evm: Evm,
  contracts: EvmDeployment,
  postgres: Postgres,
  folder: string,
  port: number | undefined,
): Promise<GraphNode> {
  const { escrow, quorum, startBlock } = contracts;
  const target = { network: "localhost", escrow, quorum, startBlock };
  const manifest = await placeSubgraph(await buildSubgraph(), target, folder);
  return startGraphNode({
    postgresUrl: postgres.url,
    evmRpcUrl: evm.rpcUrl,
    manifest,
    ...(port === undefined ? {} : { ports: { query: port } }),
  });
}

async function startEvmSide(up: Up, port: number | undefined) {
  const evm = await up("EVM chain", startEvm(port === undefined ? {} : { port }));
  const provider = new JsonRpcProvider(evm.rpcUrl, evm.chainId, {
    staticNetwork: true,
    cacheTimeout: -1,
    pollingInterval: 250,
  });
  const wallets = evm.accounts.map(({ privateKey }) => new Wallet(privateKey, provider));
  const at = (index: number): Wallet => {
    const wallet = wallets[index];
    if (!wallet) throw new Error(`The EVM chain has no account ${index}`);
    return wallet;
  };
  const cast: Cast = {
    deployer: at(0),
    buyer: at(1),
    seller: at(2),
    relayer: at(3),
    attester: at(4),
    submitter: at(5),
    judgeRelayer: at(6),
  };
  const token = await deployFiatToken(cast.deployer);
  const contracts = await deployEvm(cast.deployer, token.address);
  await token.mint(cast.buyer.address, 1_000n * USDC);
  await token.mint(cast.seller.address, 1n * USDC);
  return { evm, provider, cast, token, contracts };
}

async function startGenLayerSide(up: Up, finalityWindowSeconds: number, port: number | undefined) {
  const genlayer = await up(
    "GenLayer network",
    startGenLayerNetwork({
      validators: VALIDATORS,
      finalityWindowSeconds,
      models: [{ provider: "rules" }],
      ...(port === undefined ? {} : { port }),
    }),
  );
  const chain = genLayerChain("localnet", genlayer.rpcUrl);
  const judge = await deployJudge(chain, Wallet.createRandom().privateKey as Hex);
  return { genlayer, judge };
}

function operatorSettings(
  venue: Venue,
  evm: Evm,
  genlayer: GenLayerNetwork,
  contracts: EvmDeployment,
  cast: Cast,
  dataFolder: string,
): Record<string, string> {
  return {
    ASSAY_EVM_RPC_URL: evm.rpcUrl,
    ASSAY_EVM_CHAIN_ID: String(evm.chainId),
    ASSAY_ESCROW: contracts.escrow,
    ASSAY_QUORUM: contracts.quorum,
    ASSAY_QUORUM_MEMBERS: venue.members.join(","),
    ASSAY_QUORUM_THRESHOLD: String(venue.threshold),
    ASSAY_START_BLOCK: String(contracts.startBlock),
    ASSAY_EVM_FINALITY: "finalized",
    ASSAY_GENLAYER_RPC_URL: genlayer.rpcUrl,
    ASSAY_GENLAYER_NETWORK: "localnet",
    ASSAY_ATTESTER_KEY: cast.attester.privateKey,
    ASSAY_SUBMITTER_KEY: cast.submitter.privateKey,
    ASSAY_RELAYER_KEY: cast.judgeRelayer.privateKey,
    ASSAY_DATA_DIR: dataFolder,
    ASSAY_HTTP_HOST: "127.0.0.1",
    ASSAY_POLL_MILLISECONDS: "300",
    ASSAY_LOG_LEVEL: "info",
  };
}
