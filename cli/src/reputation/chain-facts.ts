import { z } from "zod";
import {
  decodeLifecycleEvent,
  factsFromEvents,
  toHash,
  type AgreementFact,
  type AsOf,
  type Hex,
} from "@assay/protocol";
import { adjudicatorOf } from "../draft/quorum.ts";
import { UnavailableError } from "../errors.ts";
import { RpcError, readAnswer } from "../rpc.ts";
import type { Session } from "../session.ts";
import type { Node } from "../transact/node.ts";

/** Ranges are halved down to this many blocks when a node refuses to search more of them at once. */
const SMALLEST_RANGE = 256;
/** How many blocks are asked for at once. */
const AT_ONCE = 20;

const logsSchema = z.array(
  z.object({
    address: z.string(),
    topics: z.array(z.string()),
    data: z.string(),
    blockHash: z.string().transform(toHash),
    blockNumber: z.string().transform(Number),
    logIndex: z.string().transform(Number),
  }),
);
type Log = z.infer<typeof logsSchema>[number];

/**
 * Derives every agreement's facts from the logs of escrow and quorum, from the first block on.
 *
 * @throws UnavailableError when the logs can't all be read.
 */
export async function readChainFacts({
  node,
  network,
}: Session): Promise<{ readonly asOf: AsOf; readonly agreements: readonly AgreementFact[] }> {
  const [head, { address: quorum }] = await Promise.all([node.head(), adjudicatorOf(network)]);
  const { escrow } = network;
  const logs = await readLogs(node, [escrow, quorum], network.fromBlock, head.number);
  const times = await timesOf(node, logs);
  const events = logs.flatMap((log) => {
    const timestamp = times.get(log.blockHash);
    if (timestamp === undefined)
      throw new UnavailableError("the chain was reorganised while it was read", "Try again.");
    return decodeLifecycleEvent({ ...log, timestamp }, { escrow, quorum }) ?? [];
  });
  return {
    asOf: { blockNumber: head.number, blockHash: head.hash, timestamp: head.timestamp },
    agreements: factsFromEvents(events),
  };
}

async function readLogs(node: Node, address: readonly Hex[], from: number, to: number): Promise<Log[]> {
  if (from > to) return [];
  const hex = (height: number): string => `0x${height.toString(16)}`;
  try {
    const filter = { address, fromBlock: hex(from), toBlock: hex(to) };
    const logs = readAnswer(
      logsSchema,
      await node.rpc.send("eth_getLogs", [filter]),
      node.rpc.origin,
      "eth_getLogs",
    );
    return logs.sort((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex);
  } catch (error) {
    // Nodes refuse wide ranges in words of their own, so any refusal is taken for one.
    if (!(error instanceof RpcError) || to - from < SMALLEST_RANGE) throw error;
    const middle = from + Math.floor((to - from) / 2);
    return [
      ...(await readLogs(node, address, from, middle)),
      ...(await readLogs(node, address, middle + 1, to)),
    ];
  }
}

async function timesOf(node: Node, logs: readonly Log[]): Promise<Map<Hex, number>> {
  const heights = [...new Map(logs.map(({ blockHash, blockNumber }) => [blockHash, blockNumber])).values()];
  const times = new Map<Hex, number>();
  for (let start = 0; start < heights.length; start += AT_ONCE) {
    const blocks = await Promise.all(
      heights.slice(start, start + AT_ONCE).map((height) => node.blockAt(height)),
    );
    for (const block of blocks) if (block !== null) times.set(block.hash, block.timestamp);
  }
  return times;
}
