import { id as topicOf } from "ethers";
import { z } from "zod";
import { toAddress, toHash, type Address, type Hex } from "@assay/protocol";
import { headerOf } from "./header.ts";
import { RpcError, createJsonRpc, readAnswer, type JsonRpc } from "../rpc.ts";

const quantity = z.string().regex(/^0x[0-9a-fA-F]+$/);
const number = quantity.transform(Number);
const bytes = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text.toLowerCase() as Hex);
const hash = z.string().transform(toHash);
const address = z.string().transform(toAddress);
const hexQuantity = quantity.transform((text) => text.toLowerCase() as Hex);

const logSchema = z.object({
  address,
  topics: z.array(hash),
  data: bytes,
  transactionHash: hash,
});
const receiptSchema = z.object({
  transactionHash: hash,
  blockHash: hash,
  transactionIndex: number,
  status: number,
  type: number.default(0),
  cumulativeGasUsed: hexQuantity,
  logsBloom: bytes,
  logs: z.array(logSchema),
  depositNonce: hexQuantity.optional(),
  depositReceiptVersion: hexQuantity.optional(),
});
const transactionSchema = z.object({
  hash,
  blockHash: hash,
  transactionIndex: number,
  to: address.nullable(),
  input: bytes,
});
const headSchema = z.object({ number, hash, timestamp: number, receiptsRoot: hash });
const blockSchema = z
  .record(z.string(), z.unknown())
  .transform((sent) => ({ ...headSchema.parse(sent), header: headerOf(sent) }));

/** A receipt with everything that its place in the block's trie depends on. */
export type Receipt = z.infer<typeof receiptSchema>;
/** A block, with its header's RLP if what the node sent amounts to it. */
export type Block = z.infer<typeof blockSchema>;
/** A transaction, as far as an audit needs it. */
export type Transaction = z.infer<typeof transactionSchema>;

/** Ranges are halved down to this many blocks when a node refuses to search more of them at once. */
const SMALLEST_RANGE = 256;

/** An EVM chain, read through one node. */
export interface Chain {
  readonly rpc: JsonRpc;
  chainId(): Promise<number>;
  hasCode(contract: Address): Promise<boolean>;
  /** Hashes of the transactions in which the contract logged something with that first argument, in order. */
  transactionsAbout(contract: Address, topic: Hex, fromBlock: number): Promise<Hex[]>;
  receipt(transaction: Hex): Promise<Receipt>;
  transaction(hash: Hex): Promise<Transaction>;
  block(hash: Hex): Promise<Block>;
  /** Every receipt of a block, in order. @throws RpcError when the node does not offer them. */
  receiptsOf(block: Hex): Promise<Receipt[]>;
  /** The newest block. */
  head(): Promise<{ readonly number: number; readonly timestamp: number }>;
  /** Null when the node does not know the tag. */
  finalizedHeight(): Promise<number | null>;
  /** The returned bytes. @throws RpcError when the call reverts. */
  call(to: Address, data: Hex, block: Hex | "latest"): Promise<Hex>;
}

/** Reads a chain through the node at `url`. */
export function createChain(url: string): Chain {
  const rpc = createJsonRpc(url);
  const ask = async <T>(schema: z.ZodType<T>, method: string, parameters: readonly unknown[]): Promise<T> =>
    readAnswer(schema, await rpc.send(method, parameters), rpc.origin, method);
  const toHex = (height: number): Hex => `0x${height.toString(16)}`;

  async function logs(
    contract: Address,
    topic: Hex,
    from: number,
    to: number,
  ): Promise<z.infer<typeof logSchema>[]> {
    try {
      return await ask(z.array(logSchema), "eth_getLogs", [
        { address: contract, topics: [null, topic], fromBlock: toHex(from), toBlock: toHex(to) },
      ]);
    } catch (error) {
      // Nodes refuse wide ranges in words of their own, so any refusal is taken for one.
      if (!(error instanceof RpcError) || to - from < SMALLEST_RANGE) throw error;
      const middle = from + Math.floor((to - from) / 2);
      return [
        ...(await logs(contract, topic, from, middle)),
        ...(await logs(contract, topic, middle + 1, to)),
      ];
    }
  }

  return {
    rpc,
    chainId: () => ask(number, "eth_chainId", []),
    hasCode: async (contract) => (await ask(bytes, "eth_getCode", [contract, "latest"])) !== "0x",
    async transactionsAbout(contract, topic, fromBlock) {
      const latest = await ask(number, "eth_blockNumber", []);
      const found = fromBlock > latest ? [] : await logs(contract, topic, fromBlock, latest);
      return [...new Set(found.map(({ transactionHash }) => transactionHash))];
    },
    receipt: (transaction) => ask(receiptSchema, "eth_getTransactionReceipt", [transaction]),
    transaction: (transaction) => ask(transactionSchema, "eth_getTransactionByHash", [transaction]),
    block: (block) => ask(blockSchema, "eth_getBlockByHash", [block, false]),
    receiptsOf: (block) => ask(z.array(receiptSchema), "eth_getBlockReceipts", [block]),
    async head() {
      const { number, timestamp } = await ask(blockSchema, "eth_getBlockByNumber", ["latest", false]);
      return { number, timestamp };
    },
    async finalizedHeight() {
      try {
        const block = await ask(blockSchema.nullable(), "eth_getBlockByNumber", ["finalized", false]);
        return block?.number ?? null;
      } catch (error) {
        if (error instanceof RpcError) return null;
        throw error;
      }
    },
    call: (to, data, block) =>
      ask(bytes, "eth_call", [{ to, data }, block === "latest" ? block : { blockHash: block }]),
  };
}

/** First four bytes of a function's call data. */
export function selectorOf(signature: string): Hex {
  return topicOf(signature).slice(0, 10) as Hex;
}
