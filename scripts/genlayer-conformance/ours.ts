import {
  CalldataAddress,
  type CalldataInput,
  type CalldataValue,
  decodeCalldata,
  encodeCalldata,
} from "../../localnet/src/genlayer/calldata.ts";
import {
  ContractLoadError,
  type ExecutionRequest,
  type ExecutionResult,
  type Executor,
  type Hex,
} from "../../localnet/src/genlayer/execution/executor.ts";
import { createPyodideExecutor } from "../../localnet/src/genlayer/execution/pyodide-executor.ts";
import { WebError, type WebFetcher } from "../../localnet/src/genlayer/execution/web.ts";
import { ModelError } from "../../localnet/src/genlayer/models/model.ts";
import { scriptedModel } from "../../localnet/src/genlayer/models/scripted.ts";
import { toAddress } from "@assay/protocol";
import {
  type Answers,
  type Case,
  type Observation,
  type Outcome,
  type Page,
  SETTINGS,
  type Step,
  type Value,
  type Vote,
} from "./case.ts";

const TIMEOUT_MILLISECONDS = 60_000;

/** Runs cases on our executor: CPython on WebAssembly with our `genlayer` package. */
export interface OurSide {
  observe(item: Case): Promise<Observation[]>;
  stop(): Promise<void>;
}

/** @returns our side, ready to run one case at a time */
export async function startOurSide(): Promise<OurSide> {
  let pages: Readonly<Record<string, Page>> = {};
  const web: WebFetcher = { get: ({ url }) => answerPage(pages[url]) };
  const executor = await createPyodideExecutor({ instances: 1, web });

  const run = async (
    item: Case,
    step: Step,
    state: Uint8Array,
    answers: Answers,
    leader?: ExecutionResult,
  ): Promise<ExecutionResult> => {
    pages = answers.web ?? {};
    return executor.execute(requestOf(item, step, state, answers, leader));
  };

  return {
    async observe(item) {
      let state: Uint8Array = new Uint8Array();
      const observed: Observation[] = [];
      for (const step of item.steps) {
        if (step.kind === "schema") {
          observed.push(await schemaOf(executor, item));
          continue;
        }
        const leader = await run(item, step, state, step);
        const votes: Vote[] = [];
        for (const answers of step.validators ?? []) {
          votes.push(voteOf(await run(item, step, state, answers, leader), leader));
        }
        observed.push({ ...outcomeOf(leader), ...(step.validators === undefined ? {} : { votes }) });
        state = leader.state ?? state;
      }
      return observed;
    },
    stop: () => executor.stop(),
  };
}

function requestOf(
  item: Case,
  step: Step,
  state: Uint8Array,
  answers: Answers,
  leader?: ExecutionResult,
): ExecutionRequest {
  const sender = (step.sender ?? SETTINGS.sender) as Hex;
  return {
    kind: step.kind === "deploy" || step.kind === "write" ? step.kind : "read",
    code: Buffer.from(item.source),
    state,
    calldata: step.calldata === undefined ? encodeCalldata(callOf(step)) : Buffer.from(step.calldata, "hex"),
    message: {
      contractAddress: SETTINGS.contract,
      senderAddress: sender,
      originAddress: sender,
      value: BigInt(step.value ?? 0),
      chainId: BigInt(SETTINGS.chainId),
      datetime: SETTINGS.datetime,
    },
    mode:
      leader === undefined ? { role: "leader" } : { role: "validator", leaderOutputs: leader.nondetOutputs },
    model: scriptedModel(
      (answers.model ?? []).map((answer) =>
        typeof answer === "string" ? answer : new ModelError(answer.error, "scripted"),
      ),
    ),
    limits: { timeoutMilliseconds: TIMEOUT_MILLISECONDS },
  };
}

function callOf(step: Step): CalldataInput {
  const call: Record<string, CalldataInput> = {};
  if (step.method !== undefined) call["method"] = step.method;
  if (step.args !== undefined) call["args"] = step.args.map(inputOf);
  if (step.kwargs !== undefined) call["kwargs"] = inputOf(step.kwargs);
  return call;
}

function inputOf(value: Value): CalldataInput {
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map(inputOf);
  const [[key, content] = [], ...more] = Object.entries(value);
  if (more.length === 0 && typeof content === "string") {
    if (key === "$bytes") return Buffer.from(content, "hex");
    if (key === "$integer") return BigInt(content);
    if (key === "$address") return new CalldataAddress(Buffer.from(content.slice(2), "hex"));
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inputOf(item)]));
}

// Array.isArray does not narrow readonly arrays.
function isList(value: object): value is readonly Value[] {
  return Array.isArray(value);
}

async function schemaOf(executor: Executor, item: Case): Promise<Observation> {
  try {
    return { return: (await executor.schema(Buffer.from(item.source))) as unknown as Value };
  } catch (error) {
    if (error instanceof ContractLoadError) return { vmError: error.message };
    throw error;
  }
}

function outcomeOf(result: ExecutionResult): Outcome {
  const text = Buffer.from(result.data).toString("utf8");
  switch (result.kind) {
    case "return":
      return { return: valueOf(decodeCalldata(result.data)) };
    case "user-error":
      return { userError: text };
    case "vm-error":
      return { vmError: text };
    default:
      throw new Error(`our executor failed: ${result.kind}, ${text}`);
  }
}

function valueOf(value: CalldataValue): Value {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : { $integer: String(value) };
  }
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("hex") };
  if (value instanceof CalldataAddress) return { $address: toAddress(value.hex) };
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<string, CalldataValue>)];
    return Object.fromEntries(entries.map(([key, item]) => [key, valueOf(item)]));
  }
  if (value !== null && typeof value === "object") {
    return (value as readonly CalldataValue[]).map(valueOf);
  }
  return value;
}

function voteOf(validator: ExecutionResult, leader: ExecutionResult): Vote {
  if (validator.validatorVotes.includes(false)) return "disagree";
  const same =
    validator.kind === leader.kind &&
    Buffer.from(validator.data).equals(leader.data) &&
    Buffer.from(validator.state ?? []).equals(leader.state ?? new Uint8Array());
  return same ? "agree" : "differs";
}

function answerPage(page: Page | undefined): ReturnType<WebFetcher["get"]> {
  if (page === undefined) return Promise.reject(new WebError("LOAD_FAILED", "no such page in this case"));
  const { status, headers = {}, body = "" } = page;
  return Promise.resolve({ status, headers, body: Buffer.from(body) });
}
