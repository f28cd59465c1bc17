import { zeroPadValue } from "ethers";
import type { Address, GenLayerNetwork, Hex } from "@assay/protocol";
import { z } from "zod";
import {
  RpcResponseError,
  heightOf,
  isRangeTooWide,
  wireAddress,
  wireHash,
  type JsonRpc,
} from "../rpc/index.ts";
import { NEW_TRANSACTION } from "./receipt.ts";

/** Most blocks of one log request, before an endpoint asks for fewer. */
const LOG_RANGE = 5_000;
/** Newest blocks that are read again each time: they may still change, and a replica may have left logs out. */
const OVERLAP = 50;

const logsSchema = z.array(z.object({ address: wireAddress, topics: z.array(wireHash).min(3) }));

/** Lists the transactions that went to a contract. */
export type Listing = (contract: Address, since: number) => Promise<readonly Hex[] | null>;

/** What is known of one contract's transactions: every one in the blocks from `from` to `to`. */
interface Scan {
  /** Unix seconds that `from` was looked up for. */
  readonly since: number;
  readonly from: number;
  readonly to: number;
  readonly ids: ReadonlySet<Hex>;
}

/**
 * How a network tells which transactions went to a contract: Studio has a method for it; elsewhere ConsensusMain's
 * `NewTransaction` logs do, so that a relayer can't hide what it sent.
 */
export function createListing(rpc: JsonRpc, network: GenLayerNetwork): Listing {
  return network.kind === "studio" ? studioListing(rpc) : logListing(rpc, network);
}

function studioListing(rpc: JsonRpc): Listing {
  return async (contract) => {
    try {
      const listed = await rpc.send("sim_getTransactionsForAddress", [contract]);
      const parsed = z.array(z.object({ hash: wireHash })).safeParse(listed);
      return parsed.success ? parsed.data.map((entry) => entry.hash) : null;
    } catch (error) {
      if (error instanceof RpcResponseError) return null;
      throw error;
    }
  };
}

function logListing(rpc: JsonRpc, network: GenLayerNetwork): Listing {
  const scans = new Map<Address, Scan>();
  let range = LOG_RANGE;

  async function latest(): Promise<number> {
    return Number(await rpc.send("eth_blockNumber", []));
  }

  async function timestampOf(number: number): Promise<number | null> {
    const block = await rpc.send("eth_getBlockByNumber", [quantity(number), false]);
    if (heightOf(block) !== number) return null;
    return Number((block as { timestamp?: unknown }).timestamp);
  }

  /** The first block that is not older than `since`; earlier when the endpoint has no such block any more. */
  async function blockAt(since: number, newest: number): Promise<number> {
    let [low, high] = [0, newest];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const timestamp = await timestampOf(middle);
      if (timestamp !== null && timestamp >= since) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async function idsIn(contract: Address, from: number, to: number): Promise<readonly Hex[]> {
    const ids: Hex[] = [];
    for (let next = from; next <= to;) {
      const end = Math.min(to, next + range - 1);
      try {
        ids.push(...(await logged(contract, next, end)));
        next = end + 1;
      } catch (error) {
        if (!isRangeTooWide(error) || end === next) throw error;
        range = Math.max(1, Math.floor((end - next + 1) / 2));
      }
    }
    return ids;
  }

  async function logged(contract: Address, from: number, to: number): Promise<readonly Hex[]> {
    const filter = {
      address: network.consensusMain,
      topics: [NEW_TRANSACTION, null, zeroPadValue(contract, 32).toLowerCase()],
      fromBlock: quantity(from),
      toBlock: quantity(to),
    };
    const logs = logsSchema.parse(await rpc.send("eth_getLogs", [filter]));
    return logs
      .filter(({ address, topics }) => address === network.consensusMain && topics[0] === NEW_TRANSACTION)
      .flatMap(({ topics }) => topics[1] ?? []);
  }

  return async (contract, since) => {
    const newest = await latest();
    const before = scans.get(contract);
    const covered = before !== undefined && since >= before.since;
    const from = covered ? before.from : Math.min(await blockAt(since, newest), before?.from ?? newest);
    const ids = new Set(before?.ids);
    const add = (found: readonly Hex[]) => {
      for (const id of found) ids.add(id);
    };
    if (before === undefined) add(await idsIn(contract, from, newest));
    else {
      add(await idsIn(contract, from, before.from - 1));
      add(await idsIn(contract, Math.max(from, before.to - OVERLAP), newest));
    }
    scans.set(contract, {
      since: Math.min(since, before?.since ?? since),
      from,
      to: Math.max(newest, before?.to ?? 0),
      ids,
    });
    return [...ids];
  };
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}
