import { decodeRlp, encodeRlp, keccak256, toBeArray } from "ethers";
import { toAddress } from "../../primitives/address.ts";
import { bytesOf, type Hex } from "../../primitives/hex.ts";
import type { BlockEvidence, LogEvidence, TransactionEvidence } from "../evidence.ts";
import { valueInTrie } from "./trie.ts";

/** Places in a header's RLP list, the same in every fork so far. */
const HEADER = { receiptsRoot: 5, number: 8, timestamp: 11 } as const;

/** What a block's header says of itself. */
export interface Header {
  readonly hash: Hex;
  readonly receiptsRoot: Hex;
  readonly number: number;
  /** Unix time in seconds. */
  readonly timestamp: number;
}

/** Reads a header's RLP, or null when it is none. */
export function readHeader(encoded: Hex): Header | null {
  try {
    const fields = decodeRlp(encoded);
    if (typeof fields === "string") return null;
    const [receiptsRoot, number, timestamp] = [HEADER.receiptsRoot, HEADER.number, HEADER.timestamp].map(
      (place) => fields[place],
    );
    if (typeof receiptsRoot !== "string" || typeof number !== "string" || typeof timestamp !== "string")
      return null;
    return {
      hash: keccak256(encoded) as Hex,
      receiptsRoot: receiptsRoot as Hex,
      number: integerOf(number),
      timestamp: integerOf(timestamp),
    };
  } catch {
    return null;
  }
}

/** The key of a transaction in its block's tries: the RLP of its index. */
export function indexKey(index: number): Hex {
  return encodeRlp(toBeArray(index)) as Hex;
}

/**
 * Why the proof does not show that the transaction succeeded in that block with exactly these logs; null when it does.
 */
export function receiptFault(transaction: TransactionEvidence, block: BlockEvidence): string | null {
  if (block.header === null || transaction.receiptProof === null) return "there is no proof";
  const header = readHeader(block.header);
  if (header?.hash !== block.hash) return "the header does not hash to the block's hash";
  if (header.number !== block.number) return "the header has another block number";
  if (header.timestamp !== block.timestamp) return "the header has another time";
  const receipt = valueInTrie(header.receiptsRoot, indexKey(transaction.index), transaction.receiptProof);
  const read = receipt === null ? null : readReceipt(receipt);
  if (read === null) return "the nodes do not lead from the header's receipts root to a receipt";
  if (!read.succeeded) return "the receipt says that the transaction failed";
  return sameLogs(read.logs, transaction.logs) ? null : "the receipt has other logs";
}

function readReceipt(encoded: Hex): { succeeded: boolean; logs: LogEvidence[] } | null {
  try {
    // A typed receipt has its type in front of the list; a list begins with 0xc0 or more.
    const isTyped = (bytesOf(encoded)[0] ?? 0) < 0xc0;
    const fields = decodeRlp(isTyped ? `0x${encoded.slice(4)}` : encoded);
    if (typeof fields === "string") return null;
    const [status, , , logs] = fields;
    if (!Array.isArray(logs)) return null;
    return { succeeded: status === "0x01", logs: logs.map(readLog) };
  } catch {
    return null;
  }
}

function readLog(log: ReturnType<typeof decodeRlp>): LogEvidence {
  if (typeof log === "string") throw new TypeError("a log is a list");
  const [address, topics, data] = log;
  if (typeof address !== "string" || !Array.isArray(topics) || typeof data !== "string")
    throw new TypeError("a log has an address, topics and data");
  return { address: toAddress(address), topics: topics as Hex[], data: data as Hex };
}

function sameLogs(one: readonly LogEvidence[], other: readonly LogEvidence[]): boolean {
  return JSON.stringify(one.map(plain)) === JSON.stringify(other.map(plain));
}

function plain({ address, topics, data }: LogEvidence): unknown[] {
  return [address, topics, data];
}

function integerOf(bytes: string): number {
  return bytes === "0x" ? 0 : Number(bytes);
}
