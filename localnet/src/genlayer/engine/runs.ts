import type {
  ExecutionMode,
  ExecutionRequest,
  ExecutionResult,
  Executor,
  Hex,
  NondetOutput,
} from "../execution/executor.ts";
import { EMPTY_STATE, hashState, type Ledger } from "../ledger/ledger.ts";
import type { Base64, NodeReceipt, TransactionInput, TransactionRecord } from "../ledger/records.ts";
import type { ValidatorNode } from "./nodes.ts";

/** What every run of a transaction needs. */
export interface RunContext {
  readonly ledger: Ledger;
  readonly executor: Executor;
  readonly chainId: number;
  readonly timeoutMilliseconds: number;
}

/** Runs `input` on one node, over the storage that `record` began with. */
export async function runTransaction(
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
    limits: { timeoutMilliseconds: context.timeoutMilliseconds },
  };
  try {
    return await context.executor.execute(request);
  } catch (error) {
    return failed("internal-error", error instanceof Error ? error.message : String(error));
  }
}

/** A run that the node never made, with the reason. */
export function failed(kind: "vm-error" | "timeout" | "internal-error", reason: string): ExecutionResult {
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

/** A run as it is kept. */
export function toReceipt(
  result: ExecutionResult,
  about: { round: number; node: Hex; role: NodeReceipt["role"]; milliseconds: number },
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

/** The leader's outputs of `receipt`, as the validators get them. */
export function outputsOf(receipt: NodeReceipt): readonly NondetOutput[] {
  return receipt.nondetOutputs.map(toBytes);
}

export function toBase64(bytes: Uint8Array): Base64 {
  return Buffer.from(bytes).toString("base64");
}

export function toBytes(text: Base64): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

function codeFor(ledger: Ledger, input: TransactionInput): Base64 | undefined {
  return input.kind === "deploy" ? input.code : ledger.contracts.get(input.contract)?.code;
}
