import { setTimeout as delay } from "node:timers/promises";
import { LocalnetError } from "../errors.ts";
import { rpcCall } from "../evm/rpc.ts";
import {
  hashOf,
  readHead,
  startGraphNode,
  type BlockReference,
  type GraphNode,
  type GraphNodeParameters,
} from "./graph-node.ts";

/** When graph-node is started again. */
export interface WatchOptions {
  /** How often it is looked at, 2 s by default. */
  lookMilliseconds?: number;
  /** How long the chain may be ahead, or have another block, before that counts as standing still; 30 s by default. */
  stallMilliseconds?: number;
  /** Told of every restart. */
  onRestart?: (reason: string) => void;
}

/** A graph-node that is started again, on the same ports and database, when it dies or stands still. */
export interface WatchedGraphNode extends GraphNode {
  /** How often it was started again. */
  readonly restarts: number;
}

/** After so many restarts without a block indexed between them it is given up. */
const MOST_RESTARTS = 5;
const LOOK_TIMEOUT_MILLISECONDS = 5_000;

/**
 * Starts graph-node and watches over it: a process that died, one that answers no more, and an index that is wedged
 * (it stays where it is, or on a block that the chain does not have, and calls itself healthy) are started again. What
 * was indexed is indexed anew. A handler that failed is not: it would fail again, and `waitForBlock` names it.
 *
 * `failed` resolves when starting again does not help.
 *
 * @throws {@link LocalnetError} when it can't be started the first time; see `startGraphNode`.
 */
export async function watchGraphNode(
  parameters: GraphNodeParameters,
  options: WatchOptions = {},
): Promise<WatchedGraphNode> {
  const { lookMilliseconds = 2_000, stallMilliseconds = 30_000, onRestart } = options;
  const { evmRpcUrl } = parameters;
  let current = await startGraphNode(parameters);
  const { ports } = current;
  const stopped = new AbortController();
  const { promise: failed, resolve: giveUp } = Promise.withResolvers<LocalnetError>();
  let restarts = 0;
  let fruitless = 0;

  const watching = watch();
  return {
    get pid() {
      return current.pid;
    },
    get restarts() {
      return restarts;
    },
    ...{ queryUrl: current.queryUrl, statusUrl: current.statusUrl, ports, failed },
    waitForBlock,
    query: (query, variables) => current.query(query, variables),
    async stop() {
      stopped.abort();
      await watching;
      await current.stop();
    },
  };

  async function watch(): Promise<void> {
    let progress = { at: Date.now(), block: -1 };
    let death = deathOf(current);
    while (!isStopped()) {
      const died = await Promise.race([pause(lookMilliseconds), death]);
      if (isStopped()) return;
      const standing = died === undefined ? await look() : undefined;
      if (standing !== undefined && (standing.isLevel || standing.block > progress.block)) {
        if (standing.block > progress.block) fruitless = 0;
        progress = { at: Date.now(), block: standing.block };
      }
      const stalled = Date.now() - progress.at > stallMilliseconds;
      if (died === undefined && !stalled) continue;
      const reason = died?.message ?? `graph-node has not moved for ${stallMilliseconds / 1000} s.`;
      if (!(await startAgain(reason))) return;
      death = deathOf(current);
      progress = { at: Date.now(), block: -1 };
    }
  }

  /** Where the index stands; level when it has nothing to do. Undefined when that can't be told. */
  async function look(): Promise<{ block: number; isLevel: boolean } | undefined> {
    let target: number;
    try {
      target = Number(await rpcCall(evmRpcUrl, "eth_blockNumber", []));
    } catch {
      // A chain that is away is nothing that a restart of graph-node would mend.
      return { block: -1, isLevel: true };
    }
    const head = await readHead(current.queryUrl, LOOK_TIMEOUT_MILLISECONDS).catch(() => undefined);
    if (head === undefined) return undefined;
    if (head.hasIndexingErrors) return { block: head.number, isLevel: true };
    const onChain = await hashOf(evmRpcUrl, head.number).catch(() => undefined);
    // On an orphaned block it has not moved, however high its number.
    if (onChain !== head.hash) return undefined;
    return { block: head.number, isLevel: head.number >= target };
  }

  /** False when it was given up, or stopped meanwhile. */
  async function startAgain(reason: string): Promise<boolean> {
    await current.stop();
    for (let wait = lookMilliseconds; !isStopped(); wait *= 2) {
      if (++fruitless > MOST_RESTARTS) {
        giveUp(
          new LocalnetError(
            "CHILD_DIED",
            `graph-node was started ${MOST_RESTARTS} times again without indexing a block.`,
            `The last reason was: ${reason}`,
          ),
        );
        return false;
      }
      onRestart?.(reason);
      try {
        current = await startGraphNode({ ...parameters, ports });
        restarts++;
        return true;
      } catch (error) {
        if (!(error instanceof LocalnetError)) throw error;
        reason = error.message;
        await pause(wait);
      }
    }
    return false;
  }

  /** Waits across restarts. */
  async function waitForBlock(block: BlockReference, timeoutMilliseconds = 60_000): Promise<void> {
    const deadline = Date.now() + timeoutMilliseconds;
    for (;;) {
      try {
        await current.waitForBlock(block, Math.max(0, deadline - Date.now()));
        return;
      } catch (error) {
        const isGone = error instanceof LocalnetError && error.code === "CHILD_DIED";
        if (!isGone || Date.now() > deadline) throw error;
        const over = await Promise.race([failed, pause(lookMilliseconds)]);
        if (over !== undefined) throw over;
      }
    }
  }

  function isStopped(): boolean {
    return stopped.signal.aborted;
  }

  async function pause(milliseconds: number): Promise<undefined> {
    await delay(milliseconds, undefined, { signal: stopped.signal }).catch(() => undefined);
    return undefined;
  }
}

const deathOf = ({ failed }: GraphNode): Promise<LocalnetError> => failed;
