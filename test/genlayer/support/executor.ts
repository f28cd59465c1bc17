import { createPyodideExecutor } from "../../../localnet/src/genlayer/execution/pyodide-executor.ts";
import type {
  ExecutionRequest,
  ExecutionResult,
  Executor,
  Hex,
} from "../../../localnet/src/genlayer/execution/executor.ts";
import {
  type CalldataInput,
  decodeCalldata,
  encodeCalldata,
} from "../../../localnet/src/genlayer/calldata.ts";
import type { WebFetcher } from "../../../localnet/src/genlayer/execution/web.ts";
import type { ModelSpec } from "../../../localnet/src/genlayer/models/model.ts";

export const CONTRACT: Hex = `0x${"c0".repeat(20)}`;
export const SENDER: Hex = `0x${"5e".repeat(20)}`;
export const CHAIN_ID = 61127n;

/** What contracts of these tests find on the web; a test sets it for itself. */
export const web: { current: WebFetcher } = {
  current: { get: () => Promise.reject(new Error("this test has no web")) },
};

let executor: Promise<Executor> | undefined;

/** One executor for the whole run; idle instances do not keep the process alive. */
export function sharedExecutor(): Promise<Executor> {
  return (executor ??= createPyodideExecutor({
    instances: 2,
    memoryBytes: 256 << 20,
    web: { get: (request) => web.current.get(request) },
  }));
}

/** Makes the tests run on another executor: the mutation gate's, which runs changed contracts. */
export function useExecutor(other: Executor): void {
  executor = Promise.resolve(other);
}

/** What `make` gives, made once for each executor that the tests run on. */
export function oncePerExecutor<T>(make: () => Promise<T>): () => Promise<T> {
  const made = new WeakMap<Executor, Promise<T>>();
  return async () => {
    const own = await sharedExecutor();
    const value = made.get(own) ?? make();
    made.set(own, value);
    return value;
  };
}

/** A call of one method. */
export interface Call {
  readonly method?: string;
  readonly args?: readonly CalldataInput[];
  readonly kwargs?: Readonly<Record<string, CalldataInput>>;
}

/** A run with everything filled in that the test does not care about. */
export async function run(
  code: string,
  kind: ExecutionRequest["kind"],
  call: Call = {},
  options: Partial<Omit<ExecutionRequest, "code" | "kind" | "calldata">> & {
    sender?: Hex;
    value?: bigint;
  } = {},
): Promise<ExecutionResult> {
  const { sender = SENDER, value = 0n, ...rest } = options;
  const calldata: Record<string, CalldataInput> = {};
  if (call.method !== undefined) calldata["method"] = call.method;
  if (call.args !== undefined) calldata["args"] = call.args;
  if (call.kwargs !== undefined) calldata["kwargs"] = call.kwargs;
  return (await sharedExecutor()).execute({
    kind,
    code: Buffer.from(code),
    state: new Uint8Array(),
    calldata: encodeCalldata(calldata),
    message: {
      contractAddress: CONTRACT,
      senderAddress: sender,
      originAddress: sender,
      value,
      chainId: CHAIN_ID,
      datetime: "2026-01-02T03:04:05Z",
    },
    mode: { role: "leader" },
    model: NO_MODEL,
    limits: { timeoutMilliseconds: 15_000 },
    ...rest,
  });
}

const NO_MODEL: ModelSpec = {
  description: "none",
  answer: () => Promise.reject(new Error("this test asks no model")),
};

/** The text of an error, or what went wrong with the test. */
export function textOf(result: ExecutionResult): string {
  return result.kind === "return" ? "(returned)" : Buffer.from(result.data).toString("utf8");
}

/** The value of a run that returned, in plain JavaScript. */
export function valueOf(result: ExecutionResult): unknown {
  if (result.kind !== "return") {
    throw new Error(`${result.kind}: ${textOf(result)}\n${result.stderr}`);
  }
  return plain(decodeCalldata(result.data));
}

function plain(value: unknown): unknown {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  }
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, item]) => [String(key), plain(item)]));
  }
  return Array.isArray(value) ? value.map(plain) : value;
}
