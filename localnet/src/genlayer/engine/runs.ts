import type { Clock } from "../clock.ts";
import { voteOn } from "../consensus/votes.ts";
import type {
  ContractState,
  ExecutionMode,
  ExecutionRequest,
  ExecutionResult,
  Executor,
} from "../execution/executor.ts";
import { EMPTY_STATE, hashState, type Ledger } from "../ledger/ledger.ts";
import type { Base64, NodeReceipt, TransactionInput, TransactionRecord } from "../ledger/records.ts";
import type { ValidatorNode } from "./nodes.ts";

/** What every run of a transaction needs. */
export interface RunContext {
  readonly ledger: Ledger;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly chainId: number;
  /** How long one node may run a transaction. */
  readonly executionTimeoutMilliseconds: number;
}

/** A leader's run: its receipt, and the storage that it came to unless everything is rolled back. */
export interface LeaderRun {
  readonly receipt: NodeReceipt;
  readonly state: ContractState | null;
}

/** Runs a transaction on its leader, over the storage that `record` began with. */
export async function runLeader(
  context: RunContext,
  node: ValidatorNode,
  input: TransactionInput,
  record: TransactionRecord,
): Promise<LeaderRun> {
  const { leaderTimeout, leaderOutputs: lies } = record.faults;
  const started = context.clock.now();
  // A leader that lies runs on with its lies, as its validators will.
  const mode: ExecutionMode =
    lies === undefined ? { role: "leader" } : { role: "validator", leaderOutputs: lies.map(toBytes) };
  const result = leaderTimeout
    ? failed("timeout", "the leader was told to time out")
    : await run(context, node, input, record, mode);
  const about = { ...aboutRound(record, node), role: "leader", ...since(context, started) } as const;
  const receipt = toReceipt(result, about);
  return {
    receipt: lies === undefined ? receipt : { ...receipt, nondetOutputs: lies, disagreedWith: [] },
    state: result.state,
  };
}

/** Runs a transaction on a validator, and lets it vote on what the leader came to. */
export async function runValidator(
  context: RunContext,
  node: ValidatorNode,
  input: TransactionInput,
  record: TransactionRecord,
): Promise<NodeReceipt> {
  const leader = leaderReceipt(record);
  const started = context.clock.now();
  const leaderOutputs = leader.nondetOutputs.map(toBytes);
  const result = await run(context, node, input, record, { role: "validator", leaderOutputs });
  const about = { ...aboutRound(record, node), role: "validator", ...since(context, started) } as const;
  const receipt = toReceipt(result, about);
  return { ...receipt, vote: voteOn(leader, { ...receipt, validatorVotes: result.validatorVotes }) };
}

/** The receipt of a validator that votes as it was told, without a run. */
export function forcedReceipt(
  node: ValidatorNode,
  record: TransactionRecord,
  vote: NonNullable<NodeReceipt["vote"]>,
): NodeReceipt {
  const result = failed("internal-error", `the validator was told to vote ${vote}`);
  return { ...toReceipt(result, { ...aboutRound(record, node), role: "validator", milliseconds: 0 }), vote };
}

/** The run that the validators of `record` rule on. */
function leaderReceipt(record: TransactionRecord): NodeReceipt {
  const receipt = record.receipts.findLast(({ role }) => role === "leader");
  if (receipt === undefined) throw new Error(`no leader has run ${record.id}`);
  return receipt;
}

async function run(
  context: RunContext,
  node: ValidatorNode,
  input: TransactionInput,
  record: TransactionRecord,
  mode: ExecutionMode,
): Promise<ExecutionResult> {
  const code = codeFor(context.ledger, input);
  if (code === undefined) return failed("vm-error", `no contract at ${input.contract}`);
  const request: ExecutionRequest = {
    kind: input.kind === "deploy" ? "deploy" : "write",
    code: toBytes(code),
    state: record.stateBefore === null ? EMPTY_STATE : context.ledger.state(record.stateBefore),
    calldata: toBytes(input.calldata),
    message: {
      contractAddress: input.contract,
      senderAddress: input.sender,
      originAddress: input.sender,
      value: BigInt(input.value),
      chainId: BigInt(context.chainId),
      datetime: new Date(input.createdAt).toISOString(),
    },
    mode,
    model: node.model,
    limits: { timeoutMilliseconds: context.executionTimeoutMilliseconds },
  };
  try {
    return await context.executor.execute(request);
  } catch (error) {
    return failed("internal-error", error instanceof Error ? error.message : String(error));
  }
}

/** A run that the node never made, with the reason. */
function failed(kind: "vm-error" | "timeout" | "internal-error", reason: string): ExecutionResult {
  return {
    kind,
    data: new TextEncoder().encode(reason),
    state: null,
    nondetOutputs: [],
    validatorVotes: [],
    stdout: "",
    stderr: reason,
  };
}

function aboutRound(record: TransactionRecord, node: ValidatorNode): Pick<NodeReceipt, "round" | "node"> {
  return { round: record.consensus.rounds.length - 1, node: node.address };
}

function since({ clock }: RunContext, started: number): Pick<NodeReceipt, "milliseconds"> {
  return { milliseconds: clock.now() - started };
}

/** A run as it is kept. */
function toReceipt(
  result: ExecutionResult,
  about: Pick<NodeReceipt, "round" | "node" | "role" | "milliseconds">,
): NodeReceipt {
  return {
    ...about,
    kind: result.kind,
    data: toBase64(result.data),
    stateHash: result.state === null ? null : hashState(result.state),
    nondetOutputs: result.nondetOutputs.map(toBase64),
    disagreedWith: result.validatorVotes.flatMap((agreed, index) => (agreed ? [] : [index])),
    stdout: result.stdout,
    stderr: result.stderr,
  };
}

function codeFor(ledger: Ledger, input: TransactionInput): Base64 | undefined {
  return input.kind === "deploy" ? input.code : ledger.contracts.get(input.contract)?.code;
}

export function toBase64(bytes: Uint8Array): Base64 {
  return Buffer.from(bytes).toString("base64");
}

export function toBytes(text: Base64): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}
