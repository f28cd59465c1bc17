import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { JsonRpcProvider, Wallet } from "ethers";
import {
  buildSubgraph,
  claimPort,
  createTemporaryFolder,
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
} from "@assay/localnet";
import { findGenLayerNetwork, type Address, type Agreement, type Hex } from "@assay/protocol";
import { deployEvm, type EvmDeployment } from "../deploy/evm.ts";
import { deployJudge, genLayerChain, type JudgeDeployment } from "../deploy/judge.ts";
import { castFrom, type Cast } from "./cast.ts";
import { startOperatorProcess, type OperatorProcess } from "./operator.ts";
import type { Venue } from "./parties.ts";
import { allUp, createStarted, type Started } from "./started.ts";

const USDC = 10n ** 6n;
const VALIDATORS = 5;
const NETWORK = "localnet";

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
  /** Seconds between the EVM chain's blocks. */
  blockTimeSeconds?: number;
  /** How often the operator looks at both chains. */
  pollMilliseconds?: number;
  /** Seconds that GenLayer keeps a decision open to appeal. */
  finalityWindowSeconds?: number;
  /** Judging rounds that agreements of this stack allow. */
  rounds?: number;
}

/** The whole system on one machine, every part up and connected. */
export interface Stack {
  venue: Venue;
  evm: Evm;
  token: FiatToken;
  contracts: EvmDeployment;
  genlayer: GenLayerNetwork;
  judge: JudgeDeployment;
  graph: GraphNode;
  cast: Cast;
  /** The operator that is running now. */
  readonly operator: OperatorProcess;
  /** Ends the operator (`how` decides whether in good order) and starts it again on the same data. */
  restartOperator(how: "stop" | "kill"): Promise<void>;
  /** Resolves when a part ends by itself. */
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
  const started = createStarted(options.onProgress ?? (() => undefined));
  try {
    return await assemble(started, options);
  } catch (error) {
    await started.stop();
    throw error;
  }
}

async function assemble(started: Started, options: StackOptions): Promise<Stack> {
  const {
    ports = {},
    blockTimeSeconds = 1,
    pollMilliseconds = 300,
    finalityWindowSeconds = 2,
    rounds = 3,
  } = options;
  // The operator's port is looked at first: a port in use should cost seconds, not a whole start.
  const operatorPort = await claimPort(ports.operator, "the operator");
  const folder = await createTemporaryFolder("stack");
  started.onStop(() => folder.remove());

  const [evmSide, genlayerSide, postgres] = await allUp(
    startEvmSide(started, blockTimeSeconds, ports.evm),
    startGenLayerSide(started, finalityWindowSeconds, ports.genlayer),
    started.add("PostgreSQL", startPostgres()),
  );
  const { evm, provider, cast, token, contracts } = evmSide;
  const { genlayer, judge } = genlayerSide;

  const venue: Venue = {
    provider,
    chainId: evm.chainId,
    token: token.address,
    escrow: contracts.escrow,
    quorum: contracts.quorum,
    members: [cast.attester.address as Address],
    threshold: 1,
    adjudication: adjudicationBy(judge, cast, rounds),
  };

  const dataFolder = join(folder.path, "operator");
  await mkdir(dataFolder);
  const settings = {
    ...operatorSettings(venue, evm, genlayer, contracts, cast),
    ASSAY_DATA_DIR: dataFolder,
    ASSAY_HTTP_PORT: String(operatorPort),
    ASSAY_POLL_MILLISECONDS: String(pollMilliseconds),
  };
  const [firstOperator, graph] = await allUp(
    started.add("operator", startOperatorProcess(settings)),
    started.add(
      "graph-node",
      startGraph(evm, contracts, postgres.url, join(folder.path, "subgraph"), ports.graph),
    ),
  );
  let operator = firstOperator;
  started.onStop(() => operator.stop());

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
    failed: Promise.race([evm.failed, postgres.failed, graph.failed, firstOperator.failed]),
    stop: () => started.stop(),
  };
}

async function startEvmSide(started: Started, blockTimeSeconds: number, port: number | undefined) {
  const evm = await started.add(
    "EVM chain",
    startEvm({ blockTimeSeconds, ...(port === undefined ? {} : { port }) }),
  );
  const provider = new JsonRpcProvider(evm.rpcUrl, evm.chainId, {
    staticNetwork: true,
    cacheTimeout: -1,
    pollingInterval: 250,
  });
  started.onStop(() => {
    provider.destroy();
  });
  const cast = castFrom(evm.accounts, provider);
  const token = await deployFiatToken(cast.deployer);
  const contracts = await deployEvm(cast.deployer, token.address);
  await token.mint(cast.buyer.address, 1_000n * USDC);
  await token.mint(cast.seller.address, 1n * USDC);
  return { evm, provider, cast, token, contracts };
}

async function startGenLayerSide(started: Started, finalityWindowSeconds: number, port: number | undefined) {
  const genlayer = await started.add(
    "GenLayer network (a simulation; its judge, rules, is no language model)",
    startGenLayerNetwork({
      validators: VALIDATORS,
      finalityWindowSeconds,
      models: [{ provider: "rules" }],
      ...(port === undefined ? {} : { port }),
    }),
  );
  const judge = await deployJudge(
    genLayerChain(NETWORK, genlayer.rpcUrl),
    Wallet.createRandom().privateKey as Hex,
  );
  return { genlayer, judge };
}

async function startGraph(
  evm: Evm,
  { escrow, quorum, startBlock }: EvmDeployment,
  postgresUrl: string,
  folder: string,
  port: number | undefined,
): Promise<GraphNode> {
  const manifest = await placeSubgraph(
    await buildSubgraph(),
    { network: "localhost", escrow, quorum, startBlock },
    folder,
  );
  return startGraphNode({
    postgresUrl,
    evmRpcUrl: evm.rpcUrl,
    manifest,
    ...(port === undefined ? {} : { ports: { query: port } }),
  });
}

/** How agreements of this stack say who judges. */
function adjudicationBy(judge: JudgeDeployment, cast: Cast, rounds: number): Agreement["adjudication"] {
  const network = findGenLayerNetwork(NETWORK);
  if (!network) throw new Error(`The network table has no GenLayer network ${NETWORK}`);
  return {
    network: network.name,
    chainId: network.chainId,
    consensusMain: network.consensusMain,
    contract: judge.contract,
    codeHash: judge.codeHash,
    relayers: [cast.judgeRelayer.address as Address],
    minValidators: VALIDATORS,
    rounds,
  };
}

function operatorSettings(
  venue: Venue,
  evm: Evm,
  genlayer: GenLayerNetwork,
  contracts: EvmDeployment,
  cast: Cast,
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
    ASSAY_GENLAYER_NETWORK: NETWORK,
    ASSAY_ALLOW_ENV_KEYS: "1",
    ASSAY_ATTESTER_KEY: cast.attester.privateKey,
    ASSAY_SUBMITTER_KEY: cast.submitter.privateKey,
    ASSAY_RELAYER_KEY: cast.judgeRelayer.privateKey,
  };
}
