import { type Hex, isHash, toHash } from "@assay/protocol";
import type { AnswerBlock } from "./answers.ts";
import { isHex, isObject } from "./parse.ts";
import { SourceError } from "./source.ts";

/** Sends one JSON-RPC request; `send` of an ethers provider is one. Rejects when the node refuses. */
export type JsonRpc = (method: string, params: unknown[]) => Promise<unknown>;

/** A log with the time of its block. */
export interface TimedChainLog {
  readonly address: string;
  readonly topics: string[];
  readonly data: string;
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly timestamp: number;
}

/** Topics by place, null where any will do. */
export type Topics = readonly (Hex | readonly Hex[] | null)[];

/** Ranges are halved down to this many blocks when a node refuses to search more of them at once. */
const SMALLEST_RANGE = 256;
/** How many requests are under way at once. */
const AT_ONCE = 20;

const quantity = (value: number): string => `0x${value.toString(16)}`;

/** Reads blocks and logs of an EVM chain through one endpoint. */
export interface ChainReader {
  head(): Promise<AnswerBlock>;
  /** Undefined when the chain has no such block. */
  block(number: number): Promise<AnswerBlock | undefined>;
  /** All matching logs of a range of blocks, in the chain's order. */
  logs(filter: {
    address: Hex | readonly Hex[];
    topics: Topics;
    from: number;
    to: number;
  }): Promise<TimedChainLog[]>;
}

/** @throws SourceError `failed` from every method, when the node does not answer or not as JSON-RPC says. */
export function createChainReader(rpc: JsonRpc): ChainReader {
  const times = new Map<Hex, number>();

  const send = async (method: string, params: unknown[]): Promise<unknown> => {
    try {
      return await rpc(method, params);
    } catch (cause) {
      const said = cause instanceof Error ? cause.message : String(cause);
      throw new SourceError("failed", `The chain does not answer ${method}: ${said}`, { cause });
    }
  };
  const blockBy = async (tag: string): Promise<AnswerBlock | undefined> => {
    const block = await send("eth_getBlockByNumber", [tag, false]);
    if (block === null) return undefined;
    if (!isObject(block) || !isHash(String(block["hash"]))) throw malformed("a block");
    return {
      number: Number(block["number"]),
      hash: toHash(String(block["hash"])),
      timestamp: Number(block["timestamp"]),
    };
  };
  const block = (number: number): Promise<AnswerBlock | undefined> => blockBy(quantity(number));

  const search = async (filter: object, from: number, to: number): Promise<unknown[]> => {
    if (from > to) return [];
    try {
      const range = { ...filter, fromBlock: quantity(from), toBlock: quantity(to) };
      const found = await send("eth_getLogs", [range]);
      if (!Array.isArray(found)) throw malformed("a list of logs");
      return found as unknown[];
    } catch (error) {
      // Nodes refuse wide ranges in words of their own, so any refusal is taken for one.
      if (to - from < SMALLEST_RANGE) throw error;
      const middle = from + Math.floor((to - from) / 2);
      return [...(await search(filter, from, middle)), ...(await search(filter, middle + 1, to))];
    }
  };

  const learnTimes = async (logs: readonly RawLog[]): Promise<void> => {
    const unknown = new Map(
      logs.flatMap(({ blockHash, blockNumber }) => (times.has(blockHash) ? [] : [[blockHash, blockNumber]])),
    );
    const heights = [...unknown.values()];
    for (let start = 0; start < heights.length; start += AT_ONCE) {
      for (const found of await Promise.all(heights.slice(start, start + AT_ONCE).map(block)))
        if (found !== undefined) times.set(found.hash, found.timestamp);
    }
  };

  return {
    block,
    async head() {
      const found = await blockBy("latest");
      if (found === undefined) throw malformed("its newest block");
      return found;
    },
    async logs({ address, topics, from, to }) {
      const logs = (await search({ address, topics }, from, to)).map(readLog);
      await learnTimes(logs);
      return logs
        .map(({ blockHash, ...log }) => {
          const timestamp = times.get(blockHash);
          if (timestamp === undefined)
            throw new SourceError("failed", "The chain was reorganised while it was read");
          return { ...log, timestamp };
        })
        .sort((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex);
    },
  };
}

type RawLog = Omit<TimedChainLog, "timestamp"> & { readonly blockHash: Hex };

function readLog(raw: unknown): RawLog {
  const log = isObject(raw) ? raw : {};
  const { address, topics, data, blockHash } = log;
  if (!isHex(address) && typeof address !== "string") throw malformed("a log");
  if (!Array.isArray(topics) || !isHex(data) || typeof blockHash !== "string") throw malformed("a log");
  return {
    address,
    topics: topics.map(String),
    data,
    blockHash: toHash(blockHash),
    blockNumber: Number(log["blockNumber"]),
    logIndex: Number(log["logIndex"]),
  };
}

function malformed(what: string): SourceError {
  return new SourceError("failed", `The chain's answer is not ${what}`);
}
