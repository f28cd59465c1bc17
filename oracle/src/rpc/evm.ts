import { Interface, dataLength } from "ethers";
import {
  agreementEscrowAbi,
  fiatTokenAbi,
  toAddress,
  verdictQuorumAbi,
  type Address,
  type Hex,
} from "@assay/protocol";
import { z } from "zod";
import type { Finality } from "../config/index.ts";
import { ChainIdentityError, RpcResponseError, RpcUnavailableError } from "./errors.ts";
import type { JsonRpc } from "./json-rpc.ts";
import { wireAddress, wireHash } from "./wire.ts";

/** A block header, as far as it matters here. */
export interface Header {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Filter over the block's logs; null when the endpoint sends none. */
  readonly logsBloom: Hex | null;
}

export interface RawLog {
  /** The contract that emitted it. */
  readonly address: Address;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly logIndex: number;
  readonly transactionHash: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface Receipt {
  readonly block: { readonly number: number; readonly hash: Hex };
  readonly succeeded: boolean;
}

/** Names of the escrow's statuses, in the order of the contract's enum. */
export const ESCROW_STATUSES = [
  "None",
  "Funded",
  "Accepted",
  "Submitted",
  "Released",
  "Refunded",
  "Split",
] as const;
export type EscrowStatus = (typeof ESCROW_STATUSES)[number];

export interface EscrowState {
  readonly status: EscrowStatus;
  /** The first 31 bytes of the submission's hash; zero when there is none. */
  readonly submissionHashPrefix: Hex;
}

/** A transaction that has not been signed yet. */
export interface TransactionCall {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** What the service asks of the EVM chain. Every method may reject with the errors of `JsonRpc`. */
export interface EvmChain {
  readonly origin: string;
  readonly chainId: number;
  /** @throws ChainIdentityError unless this is the configured chain with the configured contracts on it. */
  verifyIdentity(expected: {
    readonly escrow: Address;
    readonly quorum: Address;
    readonly tokenDecimals: number;
    /** Further contracts that must exist, each with the setting that names it. */
    readonly contracts?: readonly (readonly [setting: string, contract: Address])[];
  }): Promise<{
    readonly genesisHash: Hex;
  }>;
  heads(): Promise<{ readonly latest: Header; readonly final: Header }>;
  /** The header at that height, or null when the endpoint has none. */
  header(number: number): Promise<Header | null>;
  /** The logs of the escrow, and of the other contracts that are read, of a range of blocks or of one block. */
  logs(
    filter: { readonly from: number; readonly to: number } | { readonly blockHash: Hex },
  ): Promise<readonly RawLog[]>;
  escrowState(agreementId: Hex, at: number | "latest"): Promise<EscrowState>;
  isRevoked(operator: Address): Promise<boolean>;
  /** What a call would return at a block, or in the latest. @throws RpcResponseError with revert data when it would revert. */
  call(
    call: { readonly from?: Address; readonly to: Address; readonly data: Hex },
    at?: number | "latest",
  ): Promise<Hex>;
  /** Transactions of the account that are in blocks. */
  nonce(account: Address): Promise<number>;
  /** The same as of that block. */
  nonceAt(account: Address, block: number): Promise<number>;
  balance(account: Address): Promise<bigint>;
  /** Simulates; gas that the call would use. @throws RpcResponseError with revert data when it would revert. */
  estimateGas(call: TransactionCall): Promise<bigint>;
  fees(): Promise<Fees>;
  /** Hands signed bytes to the node. */
  sendRaw(raw: Hex): Promise<void>;
  /** Null while the transaction is in no block that the endpoint knows. */
  receipt(transactionHash: Hex): Promise<Receipt | null>;
}

export const escrowInterface = new Interface(agreementEscrowAbi);
const STATE_OF = escrowInterface.getFunction("stateOf")?.selector ?? "";
export const quorumInterface = new Interface(verdictQuorumAbi);
const tokenInterface = new Interface(fiatTokenAbi);

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]+$/)
  .transform((text) => BigInt(text));
const integer = quantity.transform((value, context) => {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    context.addIssue({ code: "custom", message: "is too large" });
    return z.NEVER;
  }
  return Number(value);
});
const hash = wireHash;
const data = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase() as Hex);

const headerSchema = z
  .object({
    number: integer,
    hash,
    parentHash: hash,
    timestamp: integer,
    baseFeePerGas: quantity.optional(),
    logsBloom: data.nullish().transform((bloom) => bloom ?? null),
  })
  .nullable();
const logSchema = z.object({
  address: wireAddress,
  blockNumber: integer,
  blockHash: hash,
  logIndex: integer,
  transactionHash: hash,
  topics: z.array(hash),
  data,
  removed: z.boolean().optional(),
});
const receiptSchema = z
  .object({ transactionHash: hash, blockHash: hash, blockNumber: integer, status: integer })
  .nullable();

/** Priority fee when the node has no opinion: 0.1 gwei. */
const DEFAULT_PRIORITY_FEE = 100_000_000n;

/** The EVM chain behind one JSON-RPC channel. Answers are checked in shape and against the question. */
export function createEvmChain(options: {
  readonly rpc: JsonRpc;
  readonly chainId: number;
  readonly escrow: Address;
  readonly quorum: Address;
  /** Contracts beside the escrow whose logs are read. */
  readonly contracts?: readonly Address[];
  readonly finality: Finality;
}): EvmChain {
  const { rpc, chainId, escrow, quorum, finality } = options;
  const readFrom = [escrow, ...(options.contracts ?? [])];
  // One address as it is: not every endpoint takes a list of one.
  const address = readFrom.length === 1 ? escrow : readFrom;

  async function ask<T>(schema: z.ZodType<T>, method: string, parameters: readonly unknown[]): Promise<T> {
    const answer = schema.safeParse(await rpc.send(method, parameters));
    if (!answer.success)
      throw new RpcUnavailableError(rpc.origin, method, "answered something of the wrong shape", null, {
        cause: answer.error,
      });
    return answer.data;
  }

  async function call(to: Address, contract: Interface, name: string, values: unknown[], at: string) {
    const encoded = contract.encodeFunctionData(name, values);
    const answer = await ask(data, "eth_call", [{ to, data: encoded }, at]);
    try {
      return contract.decodeFunctionResult(name, answer).toArray(true) as unknown[];
    } catch (error) {
      throw new RpcUnavailableError(rpc.origin, "eth_call", `gave no result of ${name}`, null, {
        cause: error,
      });
    }
  }

  async function headerAt(tag: string): Promise<Header | null> {
    const header = await ask(headerSchema, "eth_getBlockByNumber", [tag, false]);
    return header === null ? null : { ...header };
  }

  async function required(tag: string): Promise<Header> {
    const header = await headerAt(tag);
    if (header === null)
      throw new RpcUnavailableError(rpc.origin, "eth_getBlockByNumber", `has no block "${tag}"`);
    return header;
  }

  return {
    origin: rpc.origin,
    chainId,

    async verifyIdentity(expected) {
      const found = await ask(integer, "eth_chainId", []);
      if (found !== chainId)
        throw new ChainIdentityError(
          `${rpc.origin} answers for chain ${found}, ASSAY_EVM_CHAIN_ID says ${chainId}`,
        );
      for (const [name, contract] of [
        ["ASSAY_ESCROW", expected.escrow],
        ["ASSAY_QUORUM", expected.quorum],
        ...(expected.contracts ?? []),
      ] as const) {
        const code = await ask(data, "eth_getCode", [contract, "latest"]);
        if (dataLength(code) === 0)
          throw new ChainIdentityError(`there is no contract at ${name} ${contract} on chain ${chainId}`);
      }
      const [token] = await call(expected.escrow, escrowInterface, "token", [], "latest");
      const [decimals] = await call(toAddress(String(token)), tokenInterface, "decimals", [], "latest");
      if (Number(decimals) !== expected.tokenDecimals)
        throw new ChainIdentityError(
          `the escrow's token has ${String(decimals)} decimals, ASSAY_TOKEN_DECIMALS says ${expected.tokenDecimals}`,
        );
      return { genesisHash: (await required("0x0")).hash };
    },

    async heads() {
      const latest = await required("latest");
      if (typeof finality === "object") {
        const number = Math.max(0, latest.number - finality.confirmations);
        return { latest, final: number === latest.number ? latest : await required(toQuantity(number)) };
      }
      const final = await required(finality);
      // Two requests can meet two replicas; a head below what is final is only an old view.
      return { latest: latest.number < final.number ? final : latest, final };
    },

    async header(number) {
      const header = await headerAt(toQuantity(number));
      if (header !== null && header.number !== number)
        throw new RpcUnavailableError(
          rpc.origin,
          "eth_getBlockByNumber",
          `answered with block ${header.number}`,
        );
      return header;
    },

    async logs(filter) {
      const range =
        "blockHash" in filter
          ? { blockHash: filter.blockHash }
          : { fromBlock: toQuantity(filter.from), toBlock: toQuantity(filter.to) };
      const logs = await ask(z.array(logSchema), "eth_getLogs", [{ address, ...range }]);
      for (const log of logs) {
        const fits =
          "blockHash" in filter
            ? log.blockHash === filter.blockHash
            : log.blockNumber >= filter.from && log.blockNumber <= filter.to;
        if (!readFrom.includes(log.address) || !fits || log.removed === true)
          throw new RpcUnavailableError(
            rpc.origin,
            "eth_getLogs",
            "answered with logs that were not asked for",
          );
      }
      return logs;
    },

    async escrowState(agreementId, at) {
      const tag = at === "latest" ? at : toQuantity(at);
      const request = { to: escrow, data: STATE_OF + agreementId.slice(2) };
      const answer = await ask(data, "eth_call", [request, tag]);
      const state = decodeState(answer);
      if (state === null)
        throw new RpcUnavailableError(
          rpc.origin,
          "eth_call",
          `gave no result of stateOf: ${answer.slice(0, 140)}`,
        );
      return state;
    },

    async isRevoked(operator) {
      const [revoked] = await call(quorum, quorumInterface, "isRevoked", [operator], "latest");
      return revoked === true;
    },

    call: (transaction, at = "latest") =>
      ask(data, "eth_call", [transaction, at === "latest" ? at : toQuantity(at)]),
    nonce: (account) => ask(integer, "eth_getTransactionCount", [account, "latest"]),
    nonceAt: (account, block) => ask(integer, "eth_getTransactionCount", [account, toQuantity(block)]),
    balance: (account) => ask(quantity, "eth_getBalance", [account, "latest"]),
    estimateGas: (transaction) => ask(quantity, "eth_estimateGas", [transaction]),

    async fees() {
      const [latest, priority] = await Promise.all([
        ask(headerSchema, "eth_getBlockByNumber", ["latest", false]),
        ask(quantity, "eth_maxPriorityFeePerGas", []).catch((error: unknown) => {
          if (error instanceof RpcResponseError) return DEFAULT_PRIORITY_FEE;
          throw error;
        }),
      ]);
      const base = latest?.baseFeePerGas ?? (await ask(quantity, "eth_gasPrice", []));
      // Twice the base fee outlives six full blocks in a row.
      return { maxFeePerGas: base * 2n + priority, maxPriorityFeePerGas: priority };
    },

    async sendRaw(raw) {
      await rpc.send("eth_sendRawTransaction", [raw]);
    },

    async receipt(transactionHash) {
      const receipt = await ask(receiptSchema, "eth_getTransactionReceipt", [transactionHash]);
      if (receipt === null) return null;
      if (receipt.transactionHash !== transactionHash)
        throw new RpcUnavailableError(
          rpc.origin,
          "eth_getTransactionReceipt",
          "answered for another transaction",
        );
      return {
        block: { number: receipt.blockNumber, hash: receipt.blockHash },
        succeeded: receipt.status === 1,
      };
    },
  };
}

/** The two words of `stateOf`, asked at nearly every step of a submission; null when the answer is none. */
function decodeState(answer: Hex): EscrowState | null {
  const words = /^0x0{62}([0-9a-f]{2})([0-9a-f]{62})00$/.exec(answer);
  const status = ESCROW_STATUSES[Number.parseInt(words?.[1] ?? "", 16)];
  return words === null || status === undefined
    ? null
    : { status, submissionHashPrefix: `0x${words[2] ?? ""}` };
}

function toQuantity(value: number): string {
  return `0x${value.toString(16)}`;
}
