import { createHash } from "node:crypto";
import { abi, chains, createAccount, createClient } from "genlayer-js";
import { bytesOf, keccak256, toAddress, type Address, type GenLayerNetwork, type Hex } from "@assay/protocol";
import { Interface, Transaction, dataLength, hexlify, type TransactionLike } from "ethers";
import { z } from "zod";
import type { Endpoint, Key } from "../config/index.ts";
import { ChainIdentityError, wireAddress, type Provider } from "../rpc/index.ts";
import { signTransaction } from "../signer/index.ts";
import type { SignedTransaction } from "../store/index.ts";
import { adjudicateCall, callResult, encodeAdjudicate, gasFor, splitCall, toPlain } from "./encoding.ts";
import { JUDGE_TIMEOUT_MILLISECONDS, connectGenLayer } from "./endpoint.ts";
import { JudgeUnavailableError } from "./errors.ts";
import { asUnavailable, isNotFound, withDeadline } from "./failure.ts";
import type { Judge } from "./judge.ts";
import { createListing } from "./listing.ts";
import { readReceipt } from "./receipt.ts";
import { createWorkflows } from "./workflows.ts";
import { readStudioTransaction, readTestnetTransaction, type JudgeTransaction } from "./transaction.ts";

/** Views of a testnet's ConsensusData; the ABI is the library's. */
const consensusData = new Interface(JSON.stringify(chains.testnetBradbury.consensusDataContract?.abi ?? []));

/** Stops genlayer-js between signing and sending, and carries the bytes out. */
class Signed extends Error {
  readonly transaction: SignedTransaction;

  constructor(transaction: SignedTransaction) {
    super("signed; the caller sends");
    this.transaction = transaction;
  }
}

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
/** Gas of a transfer of nothing, with head-room for networks that count differently. */
const FILLER_GAS = 100_000n;

/**
 * The one adapter around genlayer-js 1.2.0. The library builds and encodes. Signing is ours, as for the other chain, and
 * so are sending, waiting and reading contract state: its own ways of doing so lose transaction ids and read
 * unfinalized state.
 */
export function createJudge(options: {
  readonly endpoint: Endpoint;
  readonly network: GenLayerNetwork;
  readonly relayer: Key;
  /** The endpoint under watch; made here when it is left out. */
  readonly provider?: Provider;
  readonly timeoutMilliseconds?: number;
}): Judge {
  const { endpoint, network, relayer, timeoutMilliseconds = JUDGE_TIMEOUT_MILLISECONDS } = options;
  const rpc = options.provider ?? connectGenLayer(endpoint, network, { timeoutMilliseconds });
  const origin = endpoint.origin;
  const account = createAccount(relayer.privateKey.reveal());
  const base = chainOf(network);
  type SignRequest = Parameters<typeof account.signTransaction>[0];

  /** Every transaction to GenLayer is a legacy one. */
  const sign = (request: TransactionLike): SignedTransaction =>
    signTransaction(relayer, { type: 0, value: 0n, ...request });

  /** A client of our own chain object: the library's is shared, and mutated by its `endpoint` option. */
  function client(nonce: number, validators = base.defaultNumberOfInitialValidators) {
    const stop = (request: SignRequest): Promise<never> => {
      const { to = null, data = "0x", value = 0n, gas = 0n, gasPrice = 0n } = request;
      const { chainId } = network;
      const signed = sign({ to, data, value, gasLimit: gasFor(gas, data), gasPrice, chainId, nonce });
      return Promise.reject(new Signed(signed));
    };
    const chain = {
      ...base,
      rpcUrls: { default: { http: [endpoint.url.reveal()] } },
      defaultNumberOfInitialValidators: validators,
    };
    return createClient({ chain, account: { ...account, signTransaction: stop } });
  }
  /**
   * Reads through the library. It hands a request that is under way to everybody who asks the same, so one that never
   * gets an answer would be waited for by all later ones: after a failure another client asks.
   */
  let reader = client(0);

  /** What the library builds and hands to `signTransaction`. */
  async function built(work: () => Promise<unknown>): Promise<SignedTransaction> {
    const what = `building a transaction for ${origin}`;
    const outcome = await rpc.run("eth_estimateGas", () =>
      withDeadline(what, timeoutMilliseconds * 3, work).then(
        () => null,
        (error: unknown) => {
          if (error instanceof Signed) return error.transaction;
          throw asUnavailable(what, error);
        },
      ),
    );
    if (outcome === null) throw new JudgeUnavailableError(what, "ended without a signature");
    return outcome;
  }

  /** Hashes of the calldata of transactions read, oldest first. A transaction's calldata never changes. */
  const calldataHashes = new Map<Hex, Hex>();
  function remember(transaction: JudgeTransaction | null): JudgeTransaction | null {
    if (transaction?.calldata != null) {
      const oldest = calldataHashes.size < MAX_REMEMBERED ? undefined : calldataHashes.keys().next().value;
      if (oldest !== undefined) calldataHashes.delete(oldest);
      calldataHashes.set(transaction.id, keccak256(bytesOf(transaction.calldata)));
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

  async function view(contract: Address, method: string, values: (string | number)[]): Promise<unknown> {
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
      return toPlain(abi.calldata.decode(bytesOf(callResult(answer))));
    } catch (error) {
      throw new JudgeUnavailableError(`${method} at ${origin}`, "gave no readable result", { cause: error });
    }
  }

  function signCall(
    contract: Address,
    call: { readonly functionName: string; readonly args: (string | bigint)[] },
    validators: number,
    nonce: number,
  ): Promise<SignedTransaction> {
    return built(() =>
      client(nonce, Math.max(validators, base.defaultNumberOfInitialValidators)).writeContract({
        address: contract,
        ...call,
        value: 0n,
      }),
    );
  }

  return {
    network,
    relayer: relayer.address,
    workflows: createWorkflows({ origin, view, sign: signCall }),
    transactionsTo: createListing(rpc, network),

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

    calldataOf: (call) => hexlify(encodeAdjudicate(call)) as Hex,

    prepare: (contract, call, validators, nonce) =>
      signCall(contract, adjudicateCall(call), validators, nonce),

    prepareFinalization: (judgeTx, nonce) =>
      built(() => {
        const finalizer = client(nonce);
        const txId = judgeTx;
        return finalizer.finalizeTransaction({ txId });
      }),

    reprice(raw, fee) {
      const { to, data, nonce, gasLimit, chainId, value } = Transaction.from(raw);
      return Promise.resolve(sign({ to, data, nonce, gasLimit, gasPrice: fee, chainId, value }));
    },

    prepareFiller: (nonce, fee) =>
      Promise.resolve(
        sign({ to: relayer.address, nonce, gasLimit: FILLER_GAS, gasPrice: fee, chainId: network.chainId }),
      ),

    async sendRaw(raw) {
      await rpc.send("eth_sendRawTransaction", [raw]);
    },

    async receipt(transactionHash) {
      const answer = await rpc.send("eth_getTransactionReceipt", [transactionHash]);
      const receipt = readReceipt(answer, network);
      if (receipt === undefined)
        throw new JudgeUnavailableError(`a receipt of ${origin}`, "has the wrong shape");
      return receipt;
    },

    async nonce() {
      return Number(await rpc.send("eth_getTransactionCount", [relayer.address, "latest"]));
    },

    async transaction(id) {
      const what = `reading a transaction at ${origin}`;
      const hash = id as Parameters<typeof reader.getTransaction>[0]["hash"];
      const found = await rpc.run("eth_getTransactionByHash", () =>
        withDeadline(what, timeoutMilliseconds, () => reader.getTransaction({ hash })).then(
          (raw: unknown) => ({ raw }),
          (error: unknown) => {
            if (isNotFound(error)) return null;
            reader = client(0);
            throw asUnavailable(what, error);
          },
        ),
      );
      if (found === null) return null;
      return remember(
        network.kind === "studio"
          ? readStudioTransaction(id, found.raw)
          : readTestnetTransaction(id, found.raw, await initialValidatorsOf(id), splitCall),
      );
    },

    isKnownOtherwise(id, calldata) {
      const known = calldataHashes.get(id);
      return known !== undefined && known !== keccak256(bytesOf(calldata));
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
