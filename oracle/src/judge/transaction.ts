import { toAddress, toHash, type Address, type Hex } from "@assay/protocol";
import { z } from "zod";

/** Names of GenLayer's transaction statuses by number. Whatever is not here is in progress. */
export const STATUS_NAMES: Readonly<Record<number, string>> = {
  0: "UNINITIALIZED",
  1: "PENDING",
  2: "PROPOSING",
  3: "COMMITTING",
  4: "REVEALING",
  5: "ACCEPTED",
  6: "UNDETERMINED",
  7: "FINALIZED",
  8: "CANCELED",
  9: "APPEAL_REVEALING",
  10: "APPEAL_COMMITTING",
  11: "READY_TO_FINALIZE",
  12: "VALIDATORS_TIMEOUT",
  13: "LEADER_TIMEOUT",
  14: "LEADER_REVEALING",
};

const RESULT_NAMES: Readonly<Record<number, string>> = {
  0: "IDLE",
  1: "AGREE",
  2: "DISAGREE",
  3: "TIMEOUT",
  4: "DETERMINISTIC_VIOLATION",
  5: "NO_MAJORITY",
  6: "MAJORITY_AGREE",
  7: "MAJORITY_DISAGREE",
};

const EXECUTION_NAMES: Readonly<Record<number, string>> = {
  0: "NOT_VOTED",
  1: "FINISHED_WITH_RETURN",
  2: "FINISHED_WITH_ERROR",
};

/**
 * A number and its name as two witnesses for one fact. Nodes differ in which of them they send; when both are there
 * and contradict each other, nothing is known.
 */
export type Fact = string | null;

/** A GenLayer transaction, the same for both kinds of network. Null where the network does not say. */
export interface JudgeTransaction {
  readonly id: Hex;
  /** Name of the status; null when unknown, which means: in progress. */
  readonly status: Fact;
  /** Name of the validators' consensus result. */
  readonly result: Fact;
  /** Name of the leader's execution result. */
  readonly execution: Fact;
  readonly sender: Address | null;
  readonly recipient: Address | null;
  readonly leaderOnly: boolean | null;
  /** Validators that the sender asked for. */
  readonly initialValidators: number | null;
  /** Nodes that took part in the last round, the leader included. */
  readonly participants: number | null;
  /** The calldata that the contract was called with. */
  readonly calldata: Hex | null;
  /** When the network took the transaction, in milliseconds; every operator reads the same. */
  readonly createdAt: number | null;
}

const number = z.union([z.number(), z.bigint(), z.string().regex(/^\d+$/)]).transform(Number);
const loose = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);
const name = loose(z.string().min(1));

/** genlayer-js leaves the text alone when it can't decode it. */
const base64 = z.string().transform((text) => ({ base64: text }));

const studioSchema = z.object({
  status: loose(number),
  statusName: name,
  result: loose(number),
  result_name: name,
  resultName: name,
  txExecutionResult: loose(number),
  txExecutionResultName: name,
  from_address: name,
  sender: name,
  to_address: name,
  recipient: name,
  leader_only: loose(z.boolean()),
  execution_mode: name,
  num_of_initial_validators: loose(number),
  created_at: name,
  consensus_data: loose(
    z
      .object({
        votes: loose(z.record(z.string(), z.unknown())),
        leader_receipt: loose(z.array(z.object({ node_config: loose(z.object({ address: name })) }))),
      })
      .nullable(),
  ),
  data: loose(z.object({ calldata: loose(z.union([z.object({ base64: z.string() }), base64])) }).nullable()),
});

const testnetSchema = z.object({
  txId: name,
  status: loose(number),
  statusName: name,
  result: loose(number),
  resultName: name,
  txExecutionResult: loose(number),
  txExecutionResultName: name,
  sender: name,
  recipient: name,
  createdTimestamp: loose(number),
  lastRound: loose(z.object({ roundValidators: loose(z.array(z.string())) })),
  txData: name,
  txCalldata: name,
});

/** Reads what genlayer-js returns for a Studio-like network. */
export function readStudioTransaction(id: Hex, raw: unknown): JudgeTransaction | null {
  const parsed = studioSchema.safeParse(raw);
  if (!parsed.success) return null;
  const tx = parsed.data;
  const voters = new Set(Object.keys(tx.consensus_data?.votes ?? {}).map((voter) => voter.toLowerCase()));
  const leader = tx.consensus_data?.leader_receipt?.[0]?.node_config?.address;
  if (leader !== undefined) voters.add(leader.toLowerCase());
  const mode = tx.execution_mode;
  return {
    id,
    status: agreed(tx.status, tx.statusName, STATUS_NAMES),
    result: agreed(tx.result, tx.result_name ?? tx.resultName, RESULT_NAMES),
    execution: agreed(tx.txExecutionResult, tx.txExecutionResultName, EXECUTION_NAMES),
    sender: addressOf(tx.sender ?? tx.from_address),
    recipient: addressOf(tx.recipient ?? tx.to_address),
    leaderOnly:
      tx.leader_only === undefined ? null : tx.leader_only || (mode !== undefined && mode !== "NORMAL"),
    initialValidators: tx.num_of_initial_validators ?? null,
    participants: tx.consensus_data == null ? null : voters.size,
    calldata: base64ToHex(tx.data?.calldata?.base64),
    createdAt: tx.created_at === undefined ? null : finite(Date.parse(tx.created_at)),
  };
}

/**
 * Reads what genlayer-js returns for a testnet. An unknown transaction comes as a zero struct there.
 *
 * @param initialValidators how many validators its sender asked for, which the library does not know.
 * @param decode splits the RLP list [calldata, leaderOnly] of a call.
 */
export function readTestnetTransaction(
  id: Hex,
  raw: unknown,
  initialValidators: number | null,
  decode: (txData: Hex) => { readonly calldata: Hex; readonly leaderOnly: boolean } | null,
): JudgeTransaction | null {
  const parsed = testnetSchema.safeParse(raw);
  if (!parsed.success) return null;
  const tx = parsed.data;
  if (tx.status === 0 || tx.txId?.toLowerCase() !== id) return null;
  const txData = tx.txData ?? tx.txCalldata;
  const call = txData === undefined ? null : decode(txData as Hex);
  return {
    id,
    status: agreed(tx.status, tx.statusName, STATUS_NAMES),
    result: agreed(tx.result, tx.resultName, RESULT_NAMES),
    execution: agreed(tx.txExecutionResult, tx.txExecutionResultName, EXECUTION_NAMES),
    sender: addressOf(tx.sender),
    recipient: addressOf(tx.recipient),
    leaderOnly: call?.leaderOnly ?? null,
    initialValidators,
    participants: tx.lastRound?.roundValidators?.length ?? null,
    calldata: call?.calldata ?? null,
    createdAt: tx.createdTimestamp === undefined ? null : tx.createdTimestamp * 1_000,
  };
}

/** The name that number and name agree on. Either may be missing; an unknown number with a name is no agreement. */
function agreed(
  number: number | undefined,
  name: string | undefined,
  names: Readonly<Record<number, string>>,
): Fact {
  const ofNumber = number === undefined || Number.isNaN(number) ? undefined : (names[number] ?? null);
  if (ofNumber === null) return null;
  if (name !== undefined && !Object.values(names).includes(name)) return null;
  if (ofNumber === undefined) return name ?? null;
  return name === undefined || name === ofNumber ? ofNumber : null;
}

function addressOf(text: string | undefined): Address | null {
  if (text === undefined) return null;
  try {
    return toAddress(text);
  } catch {
    return null;
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function base64ToHex(text: string | undefined): Hex | null {
  return text === undefined ? null : `0x${Buffer.from(text, "base64").toString("hex")}`;
}

/** What the network says of a judge transaction, for the state machine. */
export type JudgeStage = "pending" | "accepted" | "final" | "cancelled";

/** UNDETERMINED and the timeouts stay pending: each ends as FINALIZED, and can be appealed before. */
export function stageOf(transaction: JudgeTransaction): JudgeStage {
  switch (transaction.status) {
    case "ACCEPTED":
      return "accepted";
    case "FINALIZED":
      return "final";
    case "CANCELED":
      return "cancelled";
    default:
      return "pending";
  }
}

/** Reads a transaction id, or null when the text is none. */
export function transactionIdOf(text: unknown): Hex | null {
  try {
    return typeof text === "string" ? toHash(text) : null;
  } catch {
    return null;
  }
}
