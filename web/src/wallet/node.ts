import { toHash, type Address, type Hex } from "@assay/protocol";
import { partsOf } from "./eip1193.ts";

/** Sends one JSON-RPC request to the escrow's chain and hands back its result; rejects with code, message and data. */
export type Send = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** A call or transaction to try. */
export interface NodeCall {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** A contract refused a call. */
export class CallReverted extends Error {
  /** What it reverted with; `0x` when the node does not tell. */
  readonly data: Hex;

  constructor(data: Hex, message: string, options?: ErrorOptions) {
    super(message, options);
    this.data = data;
  }
}

/** A transaction that a block holds. */
export interface NodeReceipt {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly succeeded: boolean;
}

/** A transaction as a node shows it. */
export interface NodeTransaction {
  readonly hash: Hex;
  readonly from: string;
  readonly to: string | null;
  readonly data: string;
  readonly nonce: number;
}

/** The escrow's chain, as far as writing to it needs it. */
export interface ChainNode {
  /** @throws CallReverted */
  call(call: NodeCall, block?: number): Promise<Hex>;
  height(): Promise<number>;
  /** Unix time of the newest block. */
  time(): Promise<number>;
  /** Null when the node does not tell. */
  finalHeight(): Promise<number | null>;
  receipt(hash: Hex): Promise<NodeReceipt | null>;
  transaction(hash: Hex): Promise<NodeTransaction | null>;
  /** How many transactions of the account blocks hold. */
  nonce(account: Address): Promise<number>;
  /** Transactions of a block; empty when there is no such block. */
  transactionsIn(height: number): Promise<readonly NodeTransaction[]>;
  hasCode(account: Address): Promise<boolean>;
  /** Wei. */
  balance(account: Address): Promise<bigint>;
}

/** A node that answers through `send`. */
export function createChainNode(send: Send): ChainNode {
  const block = async (tag: string, whole = false): Promise<Record<string, unknown> | null> =>
    recordOf(await send("eth_getBlockByNumber", [tag, whole]));
  return {
    async call(call, at) {
      try {
        return textOf(await send("eth_call", [call, at === undefined ? "latest" : hexOf(at)])) as Hex;
      } catch (error) {
        throw revertOf(error) ?? error;
      }
    },
    height: async () => numberOf(await send("eth_blockNumber", [])),
    time: async () => numberOf((await block("latest"))?.["timestamp"]),
    async finalHeight() {
      try {
        const found = await block("finalized");
        return found === null ? null : numberOf(found["number"]);
      } catch {
        return null;
      }
    },
    async receipt(hash) {
      const found = recordOf(await send("eth_getTransactionReceipt", [hash]));
      if (found === null || typeof found["blockHash"] !== "string") return null;
      return {
        blockNumber: numberOf(found["blockNumber"]),
        blockHash: toHash(found["blockHash"]),
        succeeded: numberOf(found["status"]) === 1,
      };
    },
    async transaction(hash) {
      const found = recordOf(await send("eth_getTransactionByHash", [hash]));
      return found === null ? null : transactionOf(found);
    },
    nonce: async (account) => numberOf(await send("eth_getTransactionCount", [account, "latest"])),
    async transactionsIn(height) {
      const list = (await block(hexOf(height), true))?.["transactions"];
      return Array.isArray(list)
        ? list
            .map(recordOf)
            .filter((one) => one !== null)
            .map(transactionOf)
        : [];
    },
    hasCode: async (account) => textOf(await send("eth_getCode", [account, "latest"])) !== "0x",
    balance: async (account) => BigInt(textOf(await send("eth_getBalance", [account, "latest"]))),
  };
}

/** The contract's refusal in a node's error; null when the error is the node's own. */
function revertOf(error: unknown): CallReverted | null {
  const { code, message, data } = partsOf(error);
  const bytes = bytesIn(data);
  const isRevert = bytes !== null || code === 3 || /revert/i.test(message);
  return isRevert ? new CallReverted(bytes ?? "0x", message, { cause: error }) : null;
}

/** Nodes and wallets put the bytes at different depths. */
function bytesIn(data: unknown): Hex | null {
  if (typeof data === "string") return /^0x[0-9a-fA-F]*$/.test(data) ? (data as Hex) : null;
  if (typeof data !== "object" || data === null) return null;
  return bytesIn(Reflect.get(data, "data") ?? Reflect.get(data, "result"));
}

function transactionOf(found: Record<string, unknown>): NodeTransaction {
  return {
    hash: toHash(textOf(found["hash"])),
    from: textOf(found["from"]),
    to: typeof found["to"] === "string" ? found["to"] : null,
    data: textOf(found["input"] ?? found["data"]),
    nonce: numberOf(found["nonce"]),
  };
}

const hexOf = (number: number): string => `0x${number.toString(16)}`;

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

function numberOf(value: unknown): number {
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number))
    throw new Error(`The chain's node gave ${JSON.stringify(value)} for a number`);
  return number;
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw new Error(`The chain's node gave ${JSON.stringify(value)} for bytes`);
  return value;
}
