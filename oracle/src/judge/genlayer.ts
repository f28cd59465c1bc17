import { createHash } from "node:crypto";
import { abi, chains, createAccount, createClient } from "genlayer-js";
import { keccak256, toAddress, type Address, type GenLayerNetwork, type Hex } from "@assay/protocol";
import { Interface, decodeRlp, dataLength, getBytes, hexlify } from "ethers";
import { z } from "zod";
import { withoutUrls, type Endpoint, type Key } from "../config/index.ts";
import { ChainIdentityError, RpcResponseError, createJsonRpc, wireAddress, wireHash } from "../rpc/index.ts";
import type { SignedTransaction } from "../store/index.ts";
import type { StoredRecord } from "./conditions.ts";
import { JudgeUnavailableError } from "./errors.ts";
import { readStudioTransaction, readTestnetTransaction, type JudgeTransaction } from "./transaction.ts";

/** The library sets no deadline of its own. */
const TIMEOUT_MILLISECONDS = 15_000;

/** `NewTransaction(bytes32 indexed txId, address indexed recipient, address indexed activator)`. */
const NEW_TRANSACTION = "0xdab9102861c7483a187584d6371d88316f005af507982ccf95c110879f3ed5a5";
/** `CreatedTransaction(bytes32 indexed txId, uint256)`. */
const CREATED_TRANSACTION = "0x8620e7f03a280a3d2aa84bd41ba19524c2d7f1dbfa9d79cb81877b0f8c963f9b";

/** The exact strings and numbers with which the judge is called. */
export interface AdjudicationCall {
  readonly agreementId: Hex;
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementText: string;
  readonly submissionText: string;
}

/** What became of a send on the network's own EVM layer. */
export interface RelayReceipt {
  readonly succeeded: boolean;
  /** The GenLayer transaction that it created; null when it created none. */
  readonly judgeTx: Hex | null;
}

/** One line of the judge's `get_records`. */
export interface RecordEntry {
  readonly sender: Address;
  readonly sequence: number;
}

/** Views of a testnet's ConsensusData; the ABI is the library's. */
const consensusData = new Interface(JSON.stringify(chains.testnetBradbury.consensusDataContract?.abi ?? []));

/** Everything the service asks of GenLayer. */
export interface Judge {
  readonly network: GenLayerNetwork;
  readonly relayer: Address;
  /** @throws ChainIdentityError when the endpoint belongs to another network. */
  verifyIdentity(): Promise<void>;
  /** The calldata of that call, as it will appear in the transaction. */
  calldataOf(call: AdjudicationCall): Hex;
  /** Builds and signs an adjudication transaction. Nothing is sent: the caller has to journal it first. */
  prepare(contract: Address, call: AdjudicationCall, validators: number): Promise<SignedTransaction>;
  /** Hands journalled bytes to the network. */
  sendRaw(raw: Hex): Promise<void>;
  /** Null while the send is in no block. */
  receipt(transactionHash: Hex): Promise<RelayReceipt | null>;
  /** Sends of this relayer that the network has counted. */
  nonce(): Promise<number>;
  /** Null when the network does not know the transaction. */
  transaction(id: Hex): Promise<JudgeTransaction | null>;
  /** Whether that transaction was read before and carried other calldata, so that it need not be read again. */
  isKnownOtherwise(id: Hex, calldata: Hex): boolean;
  /** The record of a relayer at finalized state; its version is 0 when there is none. */
  record(contract: Address, sender: Address, key: Hex): Promise<StoredRecord>;
  /** Every record under a key at finalized state, in no particular order. */
  records(contract: Address, key: Hex): Promise<readonly RecordEntry[]>;
  /** Transactions that went to the contract, as far as the network lists them; null when it can't. */
  transactionsTo(contract: Address): Promise<readonly Hex[] | null>;
  /** SHA-256 of the deployed code, or null when there is none. */
  codeHash(contract: Address): Promise<Hex | null>;
}

/** Stops genlayer-js between signing and sending, and carries the bytes out. */
class Signed extends Error {
  readonly transaction: SignedTransaction;

  constructor(transaction: SignedTransaction) {
    super("signed; the caller sends");
    this.transaction = transaction;
  }
}

const receiptSchema = z
  .object({
    status: z.union([z.string(), z.number()]).optional(),
    logs: z.array(z.object({ address: wireAddress, topics: z.array(wireHash) })).default([]),
  })
  .nullable();

const calldataInteger = z.bigint().nonnegative().transform(Number);
const recordSchema = z.object({
  version: calldataInteger,
  sequence: calldataInteger.default(0),
  sender: z.string().default(""),
  key: z.string().default(""),
  record: z.string().default(""),
  adjudicationHash: z.string().default(""),
});
const entriesSchema = z.array(z.object({ sender: wireAddress, sequence: calldataInteger }));

/** Records asked for in one view call, and the most that are looked at: one for each relayer is all there can be. */
const RECORD_PAGE = 20;

/** Transactions of which the calldata's hash is kept in memory. */
const MAX_REMEMBERED = 20_000;

/**
 * The one adapter around genlayer-js 1.2.0. The library builds, encodes and signs; sending, waiting and reading
 * contract state are ours, since its own ways of doing so lose transaction ids and read unfinalized state.
 */
export function createJudge(options: {
  readonly endpoint: Endpoint;
  readonly network: GenLayerNetwork;
  readonly relayer: Key;
  readonly timeoutMilliseconds?: number;
}): Judge {
  const { endpoint, network, relayer, timeoutMilliseconds = TIMEOUT_MILLISECONDS } = options;
  const rpc = createJsonRpc(endpoint, timeoutMilliseconds);
  const origin = endpoint.origin;
  const account = createAccount(relayer.privateKey.reveal());
  const base = chainOf(network);

  const signer = {
    ...account,
    async signTransaction(request: Parameters<typeof account.signTransaction>[0]): Promise<never> {
      const gas = gasFor(request.gas ?? 0n, request.data ?? "0x");
      const raw = await account.signTransaction({ ...request, gas });
      throw new Signed({
        transactionHash: keccak256(getBytes(raw)),
        raw,
        nonce: request.nonce ?? 0,
        fee: request.gasPrice ?? 0n,
      });
    },
  };

  /** A client of our own chain object: the library's is shared, and mutated by its `endpoint` option. */
  function client(validators = base.defaultNumberOfInitialValidators) {
    const chain = {
      ...base,
      rpcUrls: { default: { http: [endpoint.url.reveal()] } },
      defaultNumberOfInitialValidators: validators,
    };
    return createClient({ chain, account: signer });
  }
  const reader = client();

  /** Hashes of the calldata of transactions read, oldest first. A transaction's calldata never changes. */
  const calldataHashes = new Map<Hex, Hex>();
  function remember(transaction: JudgeTransaction | null): JudgeTransaction | null {
    if (transaction?.calldata != null) {
      const oldest = calldataHashes.size < MAX_REMEMBERED ? undefined : calldataHashes.keys().next().value;
      if (oldest !== undefined) calldataHashes.delete(oldest);
      calldataHashes.set(transaction.id, keccak256(getBytes(transaction.calldata)));
    }
    return transaction;
  }

  /**
   * How many validators the sender of a testnet transaction asked for; null when the network does not say.
   * genlayer-js reports the number of rotations under that name there, since the struct that it reads has none.
   */
  async function initialValidatorsOf(id: Hex): Promise<number | null> {
    const data = consensusData.encodeFunctionData("getTransactionAllData", [id]);
    const answer = await rpc.send("eth_call", [{ to: network.consensusData, data }, "latest"]);
    try {
      const [transaction] = consensusData.decodeFunctionResult("getTransactionAllData", String(answer));
      return Number((transaction as { numOfInitialValidators: bigint }).numOfInitialValidators);
    } catch {
      return null;
    }
  }

  async function view(
    contract: Address,
    method: string,
    values: string[] | (string | number)[],
  ): Promise<unknown> {
    const call = abi.calldata.encode(abi.calldata.makeCalldataObject(method, values, undefined));
    const answer = await rpc.send("gen_call", [
      {
        type: "read",
        to: contract,
        from: relayer.address,
        data: abi.transactions.serialize([call, false]),
        // One field for Studio, the other for the node; each ignores what it does not know.
        transaction_hash_variant: "latest-final",
        status: "finalized",
      },
    ]);
    try {
      return toPlain(abi.calldata.decode(getBytes(callResult(answer))));
    } catch (error) {
      throw new JudgeUnavailableError(`${method} at ${origin}`, "gave no readable result", { cause: error });
    }
  }

  return {
    network,
    relayer: relayer.address,

    async verifyIdentity() {
      const chainId = Number(await rpc.send("eth_chainId", []));
      if (chainId !== network.chainId)
        throw new ChainIdentityError(
          `${origin} answers for chain ${chainId}, ${network.name} is ${network.chainId}`,
        );
      const main = base.consensusMainContract?.address;
      if (main === undefined || toAddress(main) !== network.consensusMain)
        throw new ChainIdentityError(
          `genlayer-js has ConsensusMain ${String(main)}, not ${network.consensusMain}`,
        );
      if (network.kind === "studio") return;
      // Two public testnets share a chain id; only one of them has code at this address.
      const code = await rpc.send("eth_getCode", [network.consensusMain, "latest"]);
      if (typeof code !== "string" || dataLength(code) === 0)
        throw new ChainIdentityError(
          `${origin} has no ConsensusMain at ${network.consensusMain}: another network`,
        );
    },

    calldataOf: (call) => hexlify(encodeCall(call)) as Hex,

    async prepare(contract, call, validators) {
      const { args } = argumentsOf(call);
      try {
        await withDeadline("writeContract", timeoutMilliseconds * 3, () =>
          client(Math.max(validators, base.defaultNumberOfInitialValidators)).writeContract({
            address: contract,
            functionName: "adjudicate",
            args,
            value: 0n,
          }),
        );
      } catch (error) {
        if (error instanceof Signed) return error.transaction;
        throw asUnavailable(`building a transaction for ${origin}`, error);
      }
      throw new JudgeUnavailableError(`building a transaction for ${origin}`, "ended without a signature");
    },

    async sendRaw(raw) {
      await rpc.send("eth_sendRawTransaction", [raw]);
    },

    async receipt(transactionHash) {
      const parsed = receiptSchema.safeParse(await rpc.send("eth_getTransactionReceipt", [transactionHash]));
      if (!parsed.success) throw new JudgeUnavailableError(`a receipt of ${origin}`, "has the wrong shape");
      const receipt = parsed.data;
      if (receipt === null) return null;
      const created = receipt.logs.find(
        (log) =>
          [NEW_TRANSACTION, CREATED_TRANSACTION].includes(log.topics[0] ?? "") &&
          (network.kind === "studio" || log.address === network.consensusMain),
      );
      const id = created?.topics[1];
      return {
        succeeded: receipt.status === undefined || Number(receipt.status) === 1,
        judgeTx: id ?? null,
      };
    },

    async nonce() {
      return Number(await rpc.send("eth_getTransactionCount", [relayer.address, "latest"]));
    },

    async transaction(id) {
      let raw: unknown;
      try {
        raw = await withDeadline("getTransaction", timeoutMilliseconds, () =>
          reader.getTransaction({ hash: id as Parameters<typeof reader.getTransaction>[0]["hash"] }),
        );
      } catch (error) {
        if (isNotFound(error)) return null;
        throw asUnavailable(`reading a transaction at ${origin}`, error);
      }
      return remember(
        network.kind === "studio"
          ? readStudioTransaction(id, raw)
          : readTestnetTransaction(id, raw, await initialValidatorsOf(id), splitCall),
      );
    },

    isKnownOtherwise(id, calldata) {
      const known = calldataHashes.get(id);
      return known !== undefined && known !== keccak256(getBytes(calldata));
    },

    async record(contract, sender, key) {
      const parsed = recordSchema.safeParse(await view(contract, "get_record", [sender, key]));
      if (!parsed.success) throw new JudgeUnavailableError(`get_record at ${origin}`, "gave no record");
      return parsed.data;
    },

    async records(contract, key) {
      const parsed = entriesSchema.safeParse(await view(contract, "get_records", [key, 0, RECORD_PAGE]));
      if (!parsed.success) throw new JudgeUnavailableError(`get_records at ${origin}`, "gave no list");
      return parsed.data;
    },

    async transactionsTo(contract) {
      if (network.kind !== "studio") return null;
      try {
        const listed = await rpc.send("sim_getTransactionsForAddress", [contract]);
        const parsed = z.array(z.object({ hash: wireHash })).safeParse(listed);
        return parsed.success ? parsed.data.map((entry) => entry.hash) : null;
      } catch (error) {
        if (error instanceof RpcResponseError) return null;
        throw error;
      }
    },

    async codeHash(contract) {
      const parameter = network.kind === "studio" ? contract : { address: contract };
      let code: unknown;
      try {
        code = await rpc.send("gen_getContractCode", [parameter]);
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
      if (typeof code !== "string" || code === "") return null;
      return `0x${createHash("sha256").update(Buffer.from(code, "base64")).digest("hex")}`;
    },
  };
}

function chainOf(network: GenLayerNetwork) {
  const found = Object.entries(chains).find(([name]) => name === network.name)?.[1];
  if (found === undefined) throw new ChainIdentityError(`genlayer-js knows no network named ${network.name}`);
  // Explorers are of no use here, and their optional member does not fit the library's own parameter type.
  const { blockExplorers: _explorers, ...chain } = found;
  return chain;
}

function argumentsOf(call: AdjudicationCall) {
  const { agreementId, chainId, escrow, agreementText, submissionText } = call;
  return { args: [agreementId, BigInt(chainId), escrow, agreementText, submissionText] };
}

function encodeCall(call: AdjudicationCall): Uint8Array {
  return abi.calldata.encode(
    abi.calldata.makeCalldataObject("adjudicate", argumentsOf(call).args, undefined),
  );
}

/**
 * Exact estimates revert on testnets, and a failed estimate becomes 200,000 in the library: half as much again, and
 * never less than what the calldata alone costs.
 */
function gasFor(estimate: bigint, data: Hex): bigint {
  const withHeadRoom = (estimate * 3n) / 2n;
  const floor = 250_000n + 40n * BigInt(dataLength(data));
  return withHeadRoom > floor ? withHeadRoom : floor;
}

/** `gen_call` answers hex without 0x, or an object with a status. */
function callResult(answer: unknown): Hex {
  if (typeof answer === "string") return `0x${answer}`;
  const parsed = z
    .object({
      data: z.string(),
      status: z.object({ code: z.number(), message: z.string().optional() }).optional(),
    })
    .parse(answer);
  if (parsed.status !== undefined && parsed.status.code !== 0)
    throw new Error(`gen_call failed: ${parsed.status.message ?? parsed.status.code}`);
  return `0x${parsed.data}`;
}

/** Calldata maps as plain objects, deeply; other values as they are. */
function toPlain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries(
      [...(value as Map<string, unknown>)].map(([key, inner]) => [key, toPlain(inner)]),
    );
  return Array.isArray(value) ? value.map(toPlain) : value;
}

/** [calldata, leaderOnly] of a call. */
function splitCall(txData: Hex): { readonly calldata: Hex; readonly leaderOnly: boolean } | null {
  try {
    const parts = decodeRlp(txData);
    if (!Array.isArray(parts) || parts.length !== 2) return null;
    const [calldata, leaderOnly] = parts;
    if (typeof calldata !== "string" || typeof leaderOnly !== "string") return null;
    return { calldata: calldata as Hex, leaderOnly: !/^0x(00)*$/.test(leaderOnly) };
  } catch {
    return null;
  }
}

function isNotFound(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return typeof error === "object" && error !== null && "code" in error && error.code === -32001;
  }
  if (error.name === "TransactionNotFoundError") return true;
  if ("code" in error && error.code === -32001) return true;
  return error.cause !== undefined && isNotFound(error.cause);
}

function asUnavailable(operation: string, error: unknown): JudgeUnavailableError {
  if (error instanceof JudgeUnavailableError) return error;
  const message = error instanceof Error ? error.message : JSON.stringify(error);
  // The library's messages quote whole URLs and whole requests.
  return new JudgeUnavailableError(
    operation,
    `failed: ${withoutUrls(message.split("\n")[0] ?? "").slice(0, 300)}`,
  );
}

async function withDeadline<T>(operation: string, milliseconds: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new JudgeUnavailableError(operation, `gave no answer in ${milliseconds} ms`));
    }, milliseconds);
  });
  try {
    return await Promise.race([work(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
