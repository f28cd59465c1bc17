import { getBytes, id as topicOf, zeroPadValue } from "ethers";
import { z } from "zod";
import {
  canonicalize,
  toAddress,
  toHash,
  type Address,
  type GenLayerNetwork,
  type Hex,
  type JudgeEvidence,
  type JudgeTransactionEvidence,
  type StoredRecordEvidence,
} from "@assay/protocol";
import { UnavailableError } from "../error.ts";
import { TIMEOUT_MILLISECONDS } from "../http.ts";
import { RpcError, createJsonRpc, readAnswer } from "../rpc.ts";
import { readStudioTransaction, readTestnetTransaction, transactionId } from "./facts.ts";

type GenLayer = typeof import("genlayer-js");

const NEW_TRANSACTION = topicOf("NewTransaction(bytes32,address,address)");
/** One record for each relayer is all there can be. */
const RECORD_PAGE = 20;

const integer = z.bigint().nonnegative().transform(Number);
const recordSchema = z.object({
  version: integer,
  sequence: integer.default(0),
  sender: z.string().default(""),
  key: z.string().default(""),
  record: z.string().default(""),
  adjudicationHash: z.string().default(""),
});
/** A workflow's verdict; the text is canonical JSON of what the view says, since the contract keeps no text. */
const responsibilitySchema = z
  .object({
    version: integer,
    workflowKey: z.string(),
    assessor: z.string().transform(toAddress),
    sequence: integer,
    verdict: z.string(),
    workflowDigest: z.string(),
    assessmentDigest: z.string(),
    recordDigest: z.string(),
  })
  .transform(({ version, ...record }) => ({
    version,
    sequence: record.sequence,
    sender: record.assessor,
    key: record.workflowKey,
    record: version === 0 ? "" : canonicalize(record),
    adjudicationHash: record.recordDigest,
  }));
const workflowSchema = z.object({
  state: z.enum(["ABSENT", "PENDING_ACCEPTANCE", "ACCEPTED", "READY", "ASSESSED", "CLOSED"]),
  workflowDigest: z.string().transform(toHash).nullable().default(null),
  acceptedA: z.boolean().default(false),
  acceptedB: z.boolean().default(false),
});
const recordsSchema = z.array(z.object({ sender: z.string().transform(toAddress), sequence: integer }));
const hexText = z.string().regex(/^[0-9a-f]*$/);
const callSchema = z.union([
  hexText,
  z
    .object({ data: hexText, status: z.object({ code: z.literal(0) }).optional() })
    .transform(({ data }) => data),
]);

/** How far a workflow of two agents has come; the digest is null where there is none. */
export type WorkflowState = z.output<typeof workflowSchema>;

/** A GenLayer network, read through one endpoint. */
export interface JudgeNetwork {
  readonly network: GenLayerNetwork;
  /** The chain id that the endpoint answers with. */
  chainId(): Promise<number>;
  /** Null when the network does not know it. */
  transaction(id: Hex): Promise<JudgeTransactionEvidence | null>;
  /** The record of a sender under a key, at finalized state. */
  record(contract: Address, sender: Address, key: Hex): Promise<StoredRecordEvidence>;
  /** A workflow's verdict by that assessor, at finalized state, brought into the same form. */
  responsibility(contract: Address, assessor: Address, workflowKey: Hex): Promise<StoredRecordEvidence>;
  /** A workflow, at finalized state. */
  workflow(contract: Address, workflowKey: Hex): Promise<WorkflowState>;
  /** Every record under a key, at finalized state. */
  records(contract: Address, key: Hex): Promise<NonNullable<JudgeEvidence["records"]>>;
  /** The deployed code in base64, or null when there is none. */
  code(contract: Address): Promise<string | null>;
  /** Transactions to a contract, oldest first, as far as the network lists them. */
  transactionsTo(contract: Address): Promise<Hex[]>;
}

/**
 * Reads a GenLayer network. Studio-like ones answer in JSON of their own; testnets in contract structs that
 * genlayer-js decodes. State is always read as of finalized transactions, which the library's own reads are not.
 *
 * @param url null for the network's public endpoint.
 * @throws UnavailableError when the library does not know the network.
 */
export async function openJudgeNetwork(network: GenLayerNetwork, url: string | null): Promise<JudgeNetwork> {
  // Loaded when needed: half a second that commands without a judge need not wait.
  const library: GenLayer = await import("genlayer-js");
  const { abi } = library;
  const chain = chainOf(library, network);
  const endpoint = url ?? chain.rpcUrls.default.http[0] ?? "";
  const rpc = createJsonRpc(endpoint);

  async function view(contract: Address, method: string, values: (string | number)[]): Promise<unknown> {
    const call = abi.calldata.encode(abi.calldata.makeCalldataObject(method, values, undefined));
    const request = {
      type: "read",
      to: contract,
      from: `0x${"0".repeat(40)}`,
      data: abi.transactions.serialize([call, false]),
      // One member for Studio, the other for the node; each ignores what it does not know.
      transaction_hash_variant: "latest-final",
      status: "finalized",
    };
    const answer = readAnswer(
      callSchema,
      await rpc.send("gen_call", [request]),
      rpc.origin,
      `gen_call ${method}`,
    );
    return toPlain(abi.calldata.decode(getBytes(`0x${answer}`)));
  }

  return {
    network,
    async chainId() {
      return Number(await rpc.send("eth_chainId", []));
    },
    async transaction(id) {
      try {
        if (network.kind === "studio")
          return readStudioTransaction(id, await rpc.send("eth_getTransactionByHash", [id]));
        const client = library.createClient({
          chain: { ...chain, rpcUrls: { default: { http: [endpoint] } } },
        });
        const hash = id as Parameters<typeof client.getTransaction>[0]["hash"];
        return readTestnetTransaction(id, await withDeadline(client.getTransaction({ hash }), rpc.origin));
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
    async record(contract, sender, key) {
      return readAnswer(
        recordSchema,
        await view(contract, "get_record", [sender, key]),
        rpc.origin,
        "get_record",
      );
    },
    async responsibility(contract, assessor, workflowKey) {
      const method = "get_responsibility_record";
      const answer = await view(contract, method, [workflowKey, assessor]);
      return readAnswer(responsibilitySchema, answer, rpc.origin, method);
    },
    async workflow(contract, workflowKey) {
      const answer = await view(contract, "get_workflow", [workflowKey]);
      return readAnswer(workflowSchema, answer, rpc.origin, "get_workflow");
    },
    async records(contract, key) {
      const answer = await view(contract, "get_records", [key, 0, RECORD_PAGE]);
      return readAnswer(recordsSchema, answer, rpc.origin, "get_records");
    },
    async code(contract) {
      const parameter = network.kind === "studio" ? contract : { address: contract };
      try {
        const code = await rpc.send("gen_getContractCode", [parameter]);
        return typeof code === "string" && code !== "" ? code : null;
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
    async transactionsTo(contract) {
      if (network.kind === "studio") {
        const listed = await rpc.send("sim_getTransactionsForAddress", [contract]);
        const entries = z.array(z.object({ hash: transactionId, created_at: z.string().default("") }));
        return readAnswer(entries, listed, rpc.origin, "sim_getTransactionsForAddress")
          .sort((one, other) => one.created_at.localeCompare(other.created_at, "en"))
          .map(({ hash }) => hash);
      }
      const filter = {
        address: network.consensusMain,
        topics: [NEW_TRANSACTION, null, zeroPadValue(contract, 32)],
        fromBlock: "0x0",
        toBlock: "latest",
      };
      const logs = z.array(z.object({ topics: z.array(transactionId) }));
      return readAnswer(logs, await rpc.send("eth_getLogs", [filter]), rpc.origin, "eth_getLogs").flatMap(
        ({ topics: [, id] }) => (id === undefined ? [] : [id]),
      );
    },
  };
}

function chainOf(library: GenLayer, network: GenLayerNetwork) {
  const found = Object.entries(library.chains).find(([name]) => name === network.name)?.[1];
  if (found === undefined)
    throw new UnavailableError(
      `genlayer-js knows no network named ${network.name}`,
      "Use a build of Assay that knows the network.",
    );
  const { blockExplorers: _explorers, ...chain } = found;
  return chain;
}

/** Calldata maps as plain objects, deeply; other values as they are. */
function toPlain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries(
      [...(value as Map<string, unknown>)].map(([key, inner]) => [key, toPlain(inner)]),
    );
  return Array.isArray(value) ? value.map(toPlain) : value;
}

const NOT_FOUND = -32001;

function isNotFound(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "TransactionNotFoundError") return true;
  if (error instanceof RpcError) return error.code === NOT_FOUND;
  return error.cause !== undefined && isNotFound(error.cause);
}

async function withDeadline<T>(work: Promise<T>, origin: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new UnavailableError(`${origin} gives no answer`, "Check the GenLayer endpoint.")),
      TIMEOUT_MILLISECONDS,
    );
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
