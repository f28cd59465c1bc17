import { z } from "zod";
import { RpcError, createJsonRpc, readAnswer, type JsonRpc } from "@assay/evidence";
import { toHash, type Address, type Hex } from "@assay/protocol";
import { UnavailableError } from "../errors.ts";

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt);
const number = quantity.transform(Number);
const bytes = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text.toLowerCase() as Hex);
const hash = z.string().transform(toHash);
const headSchema = z.object({
  number,
  hash,
  timestamp: number,
  baseFeePerGas: quantity.optional(),
});
const receiptSchema = z
  .object({ status: number, blockNumber: number, blockHash: hash, gasUsed: quantity })
  .nullable();

/** A block, as far as sending needs it. */
export type Head = z.infer<typeof headSchema>;
/** What became of a transaction. */
export type Receipt = NonNullable<z.infer<typeof receiptSchema>>;

/** A call that is not a transaction. */
export interface Call {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** What a transaction offers for gas, in wei for each unit. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** A call was refused by a contract. */
export class CallRevertedError extends Error {
  override readonly name = "CallRevertedError";
  /** What it reverted with; `0x` when the node does not say. */
  readonly data: string;
  /** The node's own words. */
  readonly reason: string;

  constructor(data: string, reason: string, options?: ErrorOptions) {
    super(`the call reverted: ${reason}`, options);
    this.data = data;
    this.reason = reason;
  }
}

/** One node of the EVM chain, for those who send. Every method rejects with UnavailableError when it can't be asked. */
export interface Node {
  readonly rpc: JsonRpc;
  chainId(): Promise<number>;
  head(): Promise<Head>;
  /** The block at a height; null when there is none yet. */
  blockAt(height: number): Promise<Head | null>;
  /** Height of the newest final block; null when the node does not say. */
  finalHeight(): Promise<number | null>;
  hasCode(account: Address): Promise<boolean>;
  /** In wei. */
  balance(account: Address): Promise<bigint>;
  /** The next nonce of an account, counting blocks only. */
  nonce(account: Address, tag?: "latest" | "pending"): Promise<number>;
  /** @throws CallRevertedError */
  call(call: Call): Promise<Hex>;
  /** @throws CallRevertedError */
  estimateGas(call: Call): Promise<bigint>;
  fees(): Promise<Fees>;
  /** @throws RpcError when the node would not take it. */
  send(raw: Hex): Promise<void>;
  /** Null while no block holds it. */
  receipt(transaction: Hex): Promise<Receipt | null>;
  /** Whether the node knows the transaction, in a block or waiting for one. */
  knows(transaction: Hex): Promise<boolean>;
}

/** Used when neither the block nor the node say what to offer. */
const FALLBACK_TIP = 1_000_000_000n;

/** Talks to the node at `url`. */
export function createNode(url: string): Node {
  const rpc = createJsonRpc(url);
  const ask = async <T>(schema: z.ZodType<T>, method: string, parameters: readonly unknown[]): Promise<T> =>
    readAnswer(schema, await rpc.send(method, parameters), rpc.origin, method);

  async function head(): Promise<Head> {
    return ask(headSchema, "eth_getBlockByNumber", ["latest", false]);
  }

  return {
    rpc,
    chainId: () => ask(number, "eth_chainId", []),
    head,
    blockAt: (height) =>
      ask(headSchema.nullable(), "eth_getBlockByNumber", [`0x${height.toString(16)}`, false]),
    async finalHeight() {
      try {
        const block = await ask(headSchema.nullable(), "eth_getBlockByNumber", ["finalized", false]);
        return block?.number ?? null;
      } catch (error) {
        if (error instanceof RpcError) return null;
        throw error;
      }
    },
    hasCode: async (account) => (await ask(bytes, "eth_getCode", [account, "latest"])) !== "0x",
    balance: (account) => ask(quantity, "eth_getBalance", [account, "latest"]),
    nonce: (account, tag = "latest") => ask(number, "eth_getTransactionCount", [account, tag]),
    call: (call) => reverting(() => ask(bytes, "eth_call", [call, "latest"])),
    estimateGas: (call) => reverting(() => ask(quantity, "eth_estimateGas", [call])),
    async fees() {
      const [{ baseFeePerGas }, tip] = await Promise.all([
        head(),
        ask(quantity, "eth_maxPriorityFeePerGas", []).catch((error: unknown) => {
          if (error instanceof RpcError) return FALLBACK_TIP;
          throw error;
        }),
      ]);
      // Twice the base fee outlasts six full blocks in a row.
      if (baseFeePerGas !== undefined)
        return { maxFeePerGas: 2n * baseFeePerGas + tip, maxPriorityFeePerGas: tip };
      const price = await ask(quantity, "eth_gasPrice", []);
      return { maxFeePerGas: price, maxPriorityFeePerGas: price };
    },
    send: async (raw) => {
      await ask(hash, "eth_sendRawTransaction", [raw]);
    },
    receipt: (transaction) => ask(receiptSchema, "eth_getTransactionReceipt", [transaction]),
    knows: async (transaction) => (await rpc.send("eth_getTransactionByHash", [transaction])) !== null,
  };
}

/** Tells a contract's refusal from an endpoint's. */
async function reverting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const isRevert = error.revertData !== null || error.code === 3 || /revert/i.test(error.reason);
    if (isRevert) throw new CallRevertedError(error.revertData ?? "0x", error.reason, { cause: error });
    throw error;
  }
}

/**
 * Refuses a node of another chain.
 *
 * @returns the node's chain id.
 * @throws UnavailableError
 */
export async function requireChain(node: Node, expected: number | null): Promise<number> {
  const found = await node.chainId();
  if (expected === null || found === expected) return found;
  throw new UnavailableError(
    `wrong network: ${node.rpc.origin} is a node of chain ${found}, not of chain ${expected}`,
    "Give the RPC URL of the right chain with --rpc-url or --network, or correct --chain-id.",
  );
}
