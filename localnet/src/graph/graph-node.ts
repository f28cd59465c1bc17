import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { LocalnetError } from "../errors.ts";
import { rpcCall } from "../evm/rpc.ts";
import {
  bareEnvironment,
  claimPort,
  createTemporaryFolder,
  requireProgram,
  startChild,
  type Child,
} from "../process/index.ts";
import { startIpfsStub } from "./ipfs-stub.ts";
import { queryGraph } from "./query.ts";

const TITLE = "graph-node";

/** What gnd calls the first manifest it is given. */
const SUBGRAPH = "subgraph-0";

const START_MILLISECONDS = 30_000;
/** gnd ends on SIGINT within this time, or hangs for good; it ignores SIGTERM. */
const STOP_MILLISECONDS = 5_000;
const WAIT_MILLISECONDS = 60_000;

export interface GraphNodeParameters {
  /** An empty PostgreSQL database; one for each chain run, or graph-node waits for the old chain for ever. */
  postgresUrl: string;
  /** The chain to index; it must be up, and past the manifest's start block. */
  evmRpcUrl: string;
  /** A manifest whose finished build lies in `build/` beside it; see `placeSubgraph`. */
  manifest: string;
  /** The network's name in the manifest, "localhost" by default. */
  network?: string;
  /** Ports, free ones where left out. graph-node binds **all** interfaces, and nothing can change that. */
  ports?: Partial<GraphNodePorts>;
  /** How often it looks for a new block, 200 ms by default. */
  pollingMilliseconds?: number;
}

/** Where graph-node listens. */
export interface GraphNodePorts {
  query: number;
  status: number;
  admin: number;
  metrics: number;
}

/** A block as the chain knows it. */
export interface BlockReference {
  number: number;
  hash: string;
}

/** A running graph-node with one subgraph. */
export interface GraphNode {
  /** Answers GraphQL queries by POST, GraphiQL by GET. */
  queryUrl: string;
  /** Answers GraphQL queries about indexing itself. */
  statusUrl: string;
  ports: GraphNodePorts;
  pid: number;
  /**
   * Resolves when the index has reached the block and agrees with the chain about it.
   *
   * @throws {@link LocalnetError} `BAD_STATE` when the block is not on the chain or a handler failed (the message
   * names it), `CHILD_DIED`, `START_TIMEOUT`.
   */
  waitForBlock(block: BlockReference, timeoutMilliseconds?: number): Promise<void>;
  /** Asks the index. Throws when the answer has errors. */
  query<T>(query: string, variables?: Record<string, unknown>): Promise<T>;
  /** Resolves when graph-node ends without `stop`. */
  failed: Promise<LocalnetError>;
  /** Ends graph-node and what it needed beside the chain and the database. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts graph-node (`gnd`, one process) on a compiled subgraph. Everything in the database is indexed anew.
 *
 * @throws {@link LocalnetError} when a port is in use, the program or the build is missing, or it dies.
 */
export async function startGraphNode(parameters: GraphNodeParameters): Promise<GraphNode> {
  const { postgresUrl, evmRpcUrl, manifest, network = "localhost", pollingMilliseconds = 200 } = parameters;
  if (!existsSync(manifest) || !existsSync(join(dirname(manifest), "build/subgraph.yaml"))) {
    throw new LocalnetError(
      "BAD_STATE",
      `There is no built subgraph at ${manifest}.`,
      "Build it (`npm run build`) and place it with placeSubgraph first.",
    );
  }
  await requireDatabase(postgresUrl);
  await requireChain(evmRpcUrl);
  const program = requireProgram(TITLE, "@graphprotocol/gnd-linux-x64", "bin/gnd");
  const ports: GraphNodePorts = {
    query: await claimPort(parameters.ports?.query, "graph-node's queries"),
    status: await claimPort(parameters.ports?.status, "graph-node's status"),
    admin: await claimPort(parameters.ports?.admin, "graph-node's administration"),
    metrics: await claimPort(parameters.ports?.metrics, "graph-node's metrics"),
  };
  const folder = await createTemporaryFolder("graph");
  const ipfs = await startIpfsStub();
  const clear = async (): Promise<void> => {
    await ipfs.stop();
    await folder.remove();
  };
  try {
    const child = await startChild({
      title: TITLE,
      command: program,
      args: [
        "dev",
        ...["--manifests", manifest],
        ...["--postgres-url", postgresUrl],
        ...["--ethereum-rpc", `${network}:${evmRpcUrl}`],
        ...["--ipfs", ipfs.url],
        ...["--http-port", String(ports.query), "--index-node-port", String(ports.status)],
        ...["--admin-port", String(ports.admin), "--metrics-port", String(ports.metrics)],
      ],
      env: {
        ...bareEnvironment(folder.path),
        // A tenth of indexing is to tell of each block at "info".
        GRAPH_LOG: "warn",
        ETHEREUM_POLLING_INTERVAL: String(pollingMilliseconds),
        // The cached chain head goes stale on quiet chains: each block then takes 31 s to appear.
        GRAPH_STORE_DISABLE_CHAIN_HEAD_PTR_CACHE: "true",
        // A head that it was not notified of (blocks faster than its polling) is looked for again after this many
        // seconds, 30 by default.
        GRAPH_CHAIN_HEAD_WATCHER_TIMEOUT: "1",
        // With backtraces on, indexing is four times slower.
        RUST_BACKTRACE: "0",
      },
      cwd: folder.path,
      stopSignal: "SIGINT",
      stopMilliseconds: STOP_MILLISECONDS,
    });
    const queryUrl = `http://127.0.0.1:${ports.query}/subgraphs/name/${SUBGRAPH}`;
    const statusUrl = `http://127.0.0.1:${ports.status}/graphql`;
    await child.untilReady(async () => (await readStatus(statusUrl)) !== undefined, START_MILLISECONDS);
    return {
      queryUrl,
      statusUrl,
      ports,
      pid: child.pid,
      waitForBlock: (block, timeoutMilliseconds = WAIT_MILLISECONDS) =>
        waitForBlock({ child, evmRpcUrl, queryUrl, statusUrl, block, timeoutMilliseconds }),
      query: (query, variables) => queryGraph(queryUrl, query, variables),
      failed: child.failed,
      stop: async () => {
        await child.stop();
        await clear();
      },
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** Without its database gnd tries for half a minute and then says little. */
async function requireDatabase(postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  try {
    await client.connect();
    await client.end();
  } catch (cause) {
    throw new LocalnetError(
      "BAD_STATE",
      `graph-node was not started: its database does not answer at ${new URL(postgresUrl).host}.`,
      "Start PostgreSQL first, and give the URL of an empty database.",
      { cause },
    );
  }
}

/** gnd looks for a chain that is late only every 18 s or so. */
async function requireChain(evmRpcUrl: string): Promise<void> {
  try {
    await rpcCall(evmRpcUrl, "eth_blockNumber", []);
  } catch (cause) {
    throw new LocalnetError(
      "BAD_STATE",
      `graph-node was not started: the chain does not answer at ${evmRpcUrl}.`,
      "Start the EVM node first, and give its JSON-RPC URL.",
      { cause },
    );
  }
}

interface IndexingStatus {
  health: string;
  fatalError: { message: string; block: { number: string } | null } | null;
}

/** graph-node's own account of the subgraph; undefined until it has one. */
async function readStatus(statusUrl: string): Promise<IndexingStatus | undefined> {
  const { indexingStatuses } = await queryGraph<{ indexingStatuses: IndexingStatus[] }>(
    statusUrl,
    "{ indexingStatuses { health fatalError { message block { number } } } }",
  );
  return indexingStatuses[0];
}

interface Wait {
  child: Child;
  evmRpcUrl: string;
  queryUrl: string;
  statusUrl: string;
  block: BlockReference;
  timeoutMilliseconds: number;
}

/** How often the index is asked for its head, and after how many of those its health is asked for. */
const LOOK_MILLISECONDS = 50;
const LOOKS_PER_HEALTH_CHECK = 10;

async function waitForBlock(wait: Wait): Promise<void> {
  const { child, evmRpcUrl, queryUrl, statusUrl, block, timeoutMilliseconds } = wait;
  const deadline = Date.now() + timeoutMilliseconds;
  const death: { error?: LocalnetError } = {};
  void child.failed.then((error) => (death.error = error));
  let head: IndexedHead | undefined;
  for (let look = 1; ; look++) {
    if (death.error !== undefined) throw death.error;
    // Before its first block the index answers with an error, which means no more than "not yet".
    head = await readHead(queryUrl).catch(() => undefined);
    const reached =
      head !== undefined && head.number >= block.number && !head.hasIndexingErrors ? head : undefined;
    // The head stands at the block whose handler failed, so reaching a block says nothing about health.
    if (reached !== undefined || look % LOOKS_PER_HEALTH_CHECK === 0) await requireHealthy(statusUrl);
    // Nor does health say anything about the chain: a wedged index is "healthy" and "synced". Equal hashes do.
    if (reached !== undefined && reached.hash === (await hashOf(evmRpcUrl, reached.number))) {
      return requireOnChain(evmRpcUrl, block);
    }
    if (Date.now() > deadline) {
      throw new LocalnetError(
        "START_TIMEOUT",
        `graph-node did not reach block ${block.number} within ${timeoutMilliseconds / 1000} s; it stands at ${head === undefined ? "no block" : `block ${head.number}`}.`,
        "Check that the chain is past the manifest's start block, and that the database is new.",
      );
    }
    await delay(LOOK_MILLISECONDS);
  }
}

/** The block that the index has reached. */
export interface IndexedHead extends BlockReference {
  hasIndexingErrors: boolean;
}

/** Where the index stands, by its own account. */
export async function readHead(queryUrl: string, timeoutMilliseconds?: number): Promise<IndexedHead> {
  const { _meta } = await queryGraph<{ _meta: { block: BlockReference; hasIndexingErrors: boolean } }>(
    queryUrl,
    "{ _meta { block { number hash } hasIndexingErrors } }",
    {},
    timeoutMilliseconds,
  );
  return { ..._meta.block, hasIndexingErrors: _meta.hasIndexingErrors };
}

/** The hash of a block on the chain. */
export async function hashOf(evmRpcUrl: string, number: number): Promise<string | undefined> {
  const block = (await rpcCall(evmRpcUrl, "eth_getBlockByNumber", [`0x${number.toString(16)}`, false])) as {
    hash: string;
  } | null;
  return block?.hash;
}

/** The index follows the chain, so a block that has left the chain will never be indexed. */
async function requireOnChain(evmRpcUrl: string, block: BlockReference): Promise<void> {
  if ((await hashOf(evmRpcUrl, block.number)) === block.hash) return;
  throw new LocalnetError(
    "BAD_STATE",
    `Block ${block.number} with hash ${block.hash} is no longer on the chain.`,
    "Read the block again; the chain was reorganised.",
  );
}

async function requireHealthy(statusUrl: string): Promise<void> {
  const status = await readStatus(statusUrl).catch(() => undefined);
  if (status?.fatalError == null) return;
  const { message, block } = status.fatalError;
  throw new LocalnetError(
    "BAD_STATE",
    `The subgraph failed${block === null ? "" : ` at block ${block.number}`}: ${message}`,
    "Mend the handler it names, build, and start graph-node again.",
  );
}
