import type { EvmLog } from "../codecs/evm.ts";
import { RPC_ERRORS, RpcError } from "./errors.ts";
import type { JsonObject } from "./params.ts";

/** The filter of an `eth_getLogs` call. */
export interface LogFilter {
  /** Inclusive; both ends default to the latest block, as on any node. */
  readonly fromBlock: number;
  readonly toBlock: number;
  matches(log: EvmLog): boolean;
}

/** What one place of a filter asks for: null for anything. */
type Wanted = readonly string[] | null;

/** @throws {@link RpcError} -32602 when it is no filter */
export function parseLogFilter(filter: JsonObject, latestBlock: number): LogFilter {
  const { fromBlock = "latest", toBlock = "latest", address, topics = [] } = filter;
  if (!Array.isArray(topics)) throw new RpcError(RPC_ERRORS.invalidParams, "the topics must be a list");
  const wantedTopics = topics.map((topic) => parseWanted(topic, "a topic"));
  const wantedAddress = parseWanted(address, "the address");
  return {
    fromBlock: parseBlock(fromBlock, latestBlock),
    toBlock: parseBlock(toBlock, latestBlock),
    matches: (log) =>
      isWanted(log.address, wantedAddress) &&
      wantedTopics.every((wanted, index) => isWanted(log.topics[index], wanted)),
  };
}

/** A block number, or the name of one. @throws {@link RpcError} -32602 when it is neither */
export function parseBlock(block: unknown, latestBlock: number): number {
  if (block === "earliest") return 0;
  if (typeof block === "string" && /^0x[0-9a-f]+$/i.test(block)) return Number(block);
  // Every block is final at once.
  if (["latest", "pending", "safe", "finalized"].some((name) => name === block)) return latestBlock;
  throw new RpcError(RPC_ERRORS.invalidParams, "the block must be a hexadecimal number or a tag");
}

function parseWanted(value: unknown, what: string): Wanted {
  if (value === undefined || value === null) return null;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((each) => {
    if (typeof each === "string") return each.toLowerCase();
    throw new RpcError(RPC_ERRORS.invalidParams, `${what} must be text, a list of text, or null`);
  });
}

function isWanted(value: string | undefined, wanted: Wanted): boolean {
  return wanted === null || (value !== undefined && wanted.includes(value.toLowerCase()));
}
