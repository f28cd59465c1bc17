import { join } from "node:path";
import { JsonRpcProvider, Wallet } from "ethers";
import {
  buildSubgraph,
  createTemporaryFolder,
  deployFiatToken,
  placeSubgraph,
  startEvm,
  startGenLayerNetwork,
  startPostgres,
  watchGraphNode,
  type Evm,
  type FiatToken,
  type GenLayerNetwork,
  type GraphNode,
  type LocalnetError,
} from "@assay/localnet";
import { findGenLayerNetwork, type Address, type Agreement, type Hex } from "@assay/protocol";
import { deployEvm, type EvmDeployment } from "../deploy/evm.ts";
import { deployJudge, genLayerChain, type JudgeDeployment } from "../deploy/judge.ts";
import { accountsFor, castFrom, membersOf, type Cast } from "./cast.ts";
import type { OperatorProcess } from "./operator.ts";
import { claimOperatorPorts, startOperators, type Settings } from "./operators.ts";
import type { Venue } from "./parties.ts";
import { allUp, createStarted, type Started } from "./started.ts";

const USDC = 10n ** 6n;
const VALIDATORS = 5;
const NETWORK = "localnet";

/** Ports to listen on; a free one is taken where none is given. */
export interface Ports {
  evm?: number;
  genlayer?: number;
  /** The first operator's; the others have the ports after it. */
  operator?: number;
  /** graph-node's queries. */
  graph?: number;
}

/** Operators, and how many of them a certificate needs. */
export interface SetSize {
  operators: number;
  threshold: number;
}

export const DEFAULT_SET: SetSize = { operators: 3, threshold: 2 };

export interface StackOptions {
  ports?: Ports;
  set?: SetSize;
  /** Told in a few words whenever a part is up. */
  onProgress?: (part: string) => void;
  /** Seconds between the EVM chain's blocks. */
  blockTimeSeconds?: number;
  /** How often an operator looks at both chains. */
  pollMilliseconds?: number;
  /** Chain seconds that an operator waits for the one whose turn is before its own. */
  rankSeconds?: number;
  /** Seconds that GenLayer keeps a decision open to appeal. */
  finalityWindowSeconds?: number;
  /** Judging rounds that agreements of this stack allow. */
  rounds?: number;
  /** People beside buyer and seller, in `cast.guests`. */
  guests?: number;
}

/** The whole system on one machine, every part up and connected. */
export interface Stack {
  venue: Venue;
  evm: Evm;
  token: FiatToken;
  contracts: EvmDeployment;
  genlayer: GenLayerNetwork;
  judge: JudgeDeployment;
  /** What decides joint agreements. */
  responsibility: JudgeDeployment;
  graph: GraphNode;
  cast: Cast;
  /** In the order of `cast.operators`; one that was ended is still listed. */
  readonly operators: readonly OperatorProcess[];
  /**
   * Ends an operator (`how` decides whether in good order) and starts it again on the same data.
   *
   * @param changes settings that differ from then on
   */
  restartOperator(index: number, how: "stop" | "kill", changes?: Settings): Promise<void>;
  /** Resolves when a part ends by itself. */
  failed: Promise<LocalnetError>;
  /** Ends everything, last started first. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Brings up the chains, the contracts, the judge, the index and the operators.
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
    set = DEFAULT_SET,
    blockTimeSeconds = 1,
    pollMilliseconds = 300,
    rankSeconds = 5,
    finalityWindowSeconds = 2,
    rounds = 3,
    guests = 0,
  } = options;
  // The operators' ports are looked at first: a port in use should cost seconds, not a whole start.
  const operatorPorts = await claimOperatorPorts(ports.operator, set.operators);
  const folder = await createTemporaryFolder("stack");
  started.onStop(() => folder.remove());

  const [evmSide, genlayerSide, postgres] = await allUp(
    startEvmSide(started, { set, guests }, blockTimeSeconds, ports.evm),
    startGenLayerSide(started, finalityWindowSeconds, ports.genlayer),
    started.add("PostgreSQL", startPostgres()),
  );
  const { evm, provider, cast, token, contracts } = evmSide;
  const { genlayer, judge, responsibility } = genlayerSide;

  const venue: Venue = {
    provider,
    chainId: evm.chainId,
    token: token.address,
    escrow: contracts.escrow,
    quorum: contracts.quorum,
    members: membersOf(cast),
    threshold: set.threshold,
    adjudication: adjudicationBy(judge, cast, rounds),
  };

  const [operators, graph] = await allUp(
    startOperators(started, {
      cast,
      venue,
      folder: join(folder.path, "operators"),
      ports: operatorPorts,
      common: {
        ...commonSettings(venue, evm, genlayer, contracts),
        ASSAY_POLL_MILLISECONDS: String(pollMilliseconds),
        ASSAY_RANK_SECONDS: String(rankSeconds),
      },
    }),
    started.add(
      "graph-node",
      startGraph(evm, contracts, postgres.url, join(folder.path, "subgraph"), ports.graph),
    ),
  );

  return {
    venue,
    evm,
    token,
    contracts,
    genlayer,
    judge,
    responsibility,
    graph,
    cast,
    operators: operators.all,
    restartOperator: (index, how, changes) => operators.restart(index, how, changes),
    failed: Promise.race([evm.failed, postgres.failed, graph.failed, operators.failed]),
    stop: () => started.stop(),
  };
}

async function startEvmSide(
  started: Started,
  { set, guests }: { set: SetSize; guests: number },
  blockTimeSeconds: number,
  port: number | undefined,
) {
  const accounts = accountsFor(set.operators, guests);
  const evm = await started.add(
    "EVM chain",
    startEvm({ blockTimeSeconds, accounts, ...(port === undefined ? {} : { port }) }),
  );
  const provider = new JsonRpcProvider(evm.rpcUrl, evm.chainId, {
    staticNetwork: true,
    cacheTimeout: -1,
    pollingInterval: 250,
  });
  started.onStop(() => {
    provider.destroy();
  });
  const cast = castFrom(evm.accounts, provider, { operators: set.operators, guests });
  const token = await deployFiatToken(cast.deployer);
  const contracts = await deployEvm(cast.deployer, token.address, {
    members: membersOf(cast),
    threshold: set.threshold,
  });
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
  const chain = genLayerChain(NETWORK, genlayer.rpcUrl);
  const key = (): Hex => Wallet.createRandom().privateKey as Hex;
  const [judge, responsibility] = await Promise.all([
    deployJudge(chain, "agreement", key()),
    deployJudge(chain, "workflow", key()),
  ]);
  return { genlayer, judge, responsibility };
}

async function startGraph(
  evm: Evm,
  deployment: EvmDeployment,
  postgresUrl: string,
  folder: string,
  port: number | undefined,
): Promise<GraphNode> {
  const manifest = await placeSubgraph(
    await buildSubgraph(),
    { network: "localhost", ...deployment },
    folder,
  );
  return watchGraphNode({
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
    relayers: cast.operators.map(({ judgeRelayer }) => judgeRelayer.address as Address),
    minValidators: VALIDATORS,
    rounds,
  };
}

/** What all operators of the set are told alike. Independent ones would each have endpoints of their own. */
function commonSettings(
  venue: Venue,
  evm: Evm,
  genlayer: GenLayerNetwork,
  contracts: EvmDeployment,
): Settings {
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
  };
}
