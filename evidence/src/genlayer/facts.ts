import { toAddress, toHash, type Address, type Hex, type JudgeTransactionEvidence } from "@assay/protocol";
import { decodeBase64, decodeRlp, hexlify } from "ethers";
import { z } from "zod";

const STATUSES: readonly string[] = [
  "UNINITIALIZED",
  "PENDING",
  "PROPOSING",
  "COMMITTING",
  "REVEALING",
  "ACCEPTED",
  "UNDETERMINED",
  "FINALIZED",
  "CANCELED",
  "APPEAL_REVEALING",
  "APPEAL_COMMITTING",
  "READY_TO_FINALIZE",
  "VALIDATORS_TIMEOUT",
  "LEADER_TIMEOUT",
  "LEADER_REVEALING",
];
const RESULTS: readonly string[] = [
  "IDLE",
  "AGREE",
  "DISAGREE",
  "TIMEOUT",
  "DETERMINISTIC_VIOLATION",
  "NO_MAJORITY",
  "MAJORITY_AGREE",
  "MAJORITY_DISAGREE",
];
const EXECUTIONS: readonly string[] = ["NOT_VOTED", "FINISHED_WITH_RETURN", "FINISHED_WITH_ERROR"];

/** Nodes differ in what they send, so every member may be missing or of another type; it is unknown then. */
const lenient = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);
const name = lenient(z.string().min(1));
const count = lenient(z.union([z.number(), z.bigint(), z.string().regex(/^\d+$/)]).transform(Number));
const text = z.string();

const studioSchema = z.object({
  status: lenient(z.union([z.string(), z.number()])),
  status_name: name,
  result: count,
  result_name: name,
  txExecutionResult: count,
  txExecutionResultName: name,
  from_address: name,
  sender: name,
  to_address: name,
  recipient: name,
  leader_only: lenient(z.boolean()),
  execution_mode: name,
  num_of_initial_validators: count,
  consensus_data: lenient(
    z.object({
      votes: lenient(z.record(z.string(), z.unknown())),
      leader_receipt: lenient(z.array(z.object({ node_config: lenient(z.object({ address: name })) }))),
    }),
  ),
  data: lenient(z.object({ calldata: name })),
});

const testnetSchema = z.object({
  txId: name,
  status: count,
  statusName: name,
  result: count,
  resultName: name,
  txExecutionResult: count,
  txExecutionResultName: name,
  sender: name,
  recipient: name,
  numOfInitialValidators: count,
  lastRound: lenient(z.object({ roundValidators: lenient(z.array(text)) })),
  txData: name,
  txCalldata: name,
});

/** Reads a Studio-like network's answer to `eth_getTransactionByHash`; null when it knows no such transaction. */
export function readStudioTransaction(id: Hex, answer: unknown): JudgeTransactionEvidence | null {
  const parsed = studioSchema.safeParse(answer);
  if (!parsed.success) return null;
  const sent = parsed.data;
  const nodes = new Set(Object.keys(sent.consensus_data?.votes ?? {}).map((node) => node.toLowerCase()));
  const leader = sent.consensus_data?.leader_receipt?.[0]?.node_config?.address;
  if (leader !== undefined) nodes.add(leader.toLowerCase());
  const isNormal = sent.execution_mode === undefined || sent.execution_mode === "NORMAL";
  const { status } = sent;
  return {
    id,
    status: named(
      typeof status === "number" ? status : undefined,
      typeof status === "string" ? status : sent.status_name,
      STATUSES,
    ),
    result: named(sent.result, sent.result_name, RESULTS),
    execution: named(sent.txExecutionResult, sent.txExecutionResultName, EXECUTIONS),
    sender: addressOf(sent.sender ?? sent.from_address),
    recipient: addressOf(sent.recipient ?? sent.to_address),
    leaderOnly: sent.leader_only === undefined ? null : sent.leader_only || !isNormal,
    initialValidators: sent.num_of_initial_validators ?? null,
    participants: sent.consensus_data === undefined ? null : nodes.size,
    calldata: bytesOf(sent.data?.calldata),
  };
}

/** Reads what genlayer-js makes of a testnet's answer. An unknown transaction is a struct of zeros there. */
export function readTestnetTransaction(id: Hex, decoded: unknown): JudgeTransactionEvidence | null {
  const parsed = testnetSchema.safeParse(decoded);
  if (!parsed.success) return null;
  const sent = parsed.data;
  if (sent.status === 0 || sent.txId?.toLowerCase() !== id) return null;
  const call = splitCall(sent.txData ?? sent.txCalldata);
  return {
    id,
    status: named(sent.status, sent.statusName, STATUSES),
    result: named(sent.result, sent.resultName, RESULTS),
    execution: named(sent.txExecutionResult, sent.txExecutionResultName, EXECUTIONS),
    sender: addressOf(sent.sender),
    recipient: addressOf(sent.recipient),
    leaderOnly: call?.leaderOnly ?? null,
    initialValidators: sent.numOfInitialValidators ?? null,
    participants: sent.lastRound?.roundValidators?.length ?? null,
    calldata: call?.calldata ?? null,
  };
}

/** The name that number and name agree on; null when they contradict each other, or either means nothing. */
function named(
  number: number | undefined,
  given: string | undefined,
  names: readonly string[],
): string | null {
  const ofNumber = number === undefined ? undefined : (names[number] ?? null);
  if (ofNumber === null || (given !== undefined && !names.includes(given))) return null;
  if (ofNumber !== undefined && given !== undefined && ofNumber !== given) return null;
  return ofNumber ?? given ?? null;
}

function addressOf(given: string | undefined): Address | null {
  try {
    return given === undefined ? null : toAddress(given);
  } catch {
    return null;
  }
}

function bytesOf(base64: string | undefined): Hex | null {
  try {
    return base64 === undefined ? null : (hexlify(decodeBase64(base64)) as Hex);
  } catch {
    return null;
  }
}

/** [calldata, leaderOnly] of a call. */
function splitCall(data: string | undefined): { calldata: Hex; leaderOnly: boolean } | null {
  try {
    const parts = data === undefined ? null : decodeRlp(data);
    if (!Array.isArray(parts) || parts.length !== 2) return null;
    const [calldata, leaderOnly] = parts;
    if (typeof calldata !== "string" || typeof leaderOnly !== "string") return null;
    return { calldata: calldata as Hex, leaderOnly: !/^0x(00)*$/.test(leaderOnly) };
  } catch {
    return null;
  }
}

/** A transaction id in an answer. */
export const transactionId = z.string().transform(toHash);
