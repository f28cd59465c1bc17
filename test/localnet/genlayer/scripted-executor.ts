import {
  type CalldataValue,
  decodeCalldata,
  encodeCalldata,
} from "../../../localnet/src/genlayer/calldata.ts";
import {
  ContractLoadError,
  type ContractSchema,
  type ExecutionRequest,
  type ExecutionResult,
  type Executor,
} from "../../../localnet/src/genlayer/execution/executor.ts";

/** A schema that says what the scripted contract has. */
export const SCRIPTED_SCHEMA: ContractSchema = {
  ctor: { params: [["value", "string"]], kwparams: {} },
  methods: {
    get: { params: [], kwparams: {}, readonly: true, ret: "string" },
    set: { params: [["value", "string"]], kwparams: {}, readonly: false, ret: "null" },
  },
};

/** Every run that an executor was asked for, so that tests can count them. */
export interface ScriptedExecutor extends Executor {
  readonly requests: ExecutionRequest[];
}

/**
 * An executor without Python, for tests of the network alone. Whatever the source, the contract keeps one text and has
 * `get`, `set(text)`, `append(text)`, `fail(message)`, `crash()`, `time_out()`, `break_down()` and `ask()`, which
 * stores the model's answer and whose validators demand that their own model says the same.
 */
export function createScriptedExecutor(): ScriptedExecutor {
  const requests: ExecutionRequest[] = [];
  return {
    requests,
    async execute(request) {
      requests.push(request);
      return await run(request);
    },
    schema(code) {
      if (!new TextDecoder().decode(code).includes("class")) {
        return Promise.reject(new ContractLoadError("there is no contract class"));
      }
      return Promise.resolve(SCRIPTED_SCHEMA);
    },
    stop: () => Promise.resolve(),
  };
}

async function run(request: ExecutionRequest): Promise<ExecutionResult> {
  const call = decodeCalldata(request.calldata);
  if (!(call instanceof Map)) throw new Error("calldata is a map");
  const args = (call as ReadonlyMap<string, CalldataValue>).get("args");
  const argument = Array.isArray(args) && typeof args[0] === "string" ? args[0] : "";
  const stored = new TextDecoder().decode(request.state);
  if (request.kind === "deploy") return returned(request, null, argument);
  switch ((call as ReadonlyMap<string, CalldataValue>).get("method")) {
    case "get":
      return returned(request, stored, stored);
    case "set":
      return returned(request, null, argument);
    case "append":
      return returned(request, null, stored + argument);
    case "fail":
      return ended("user-error", argument);
    case "crash":
      return ended("vm-error", "exit_code 1");
    case "time_out":
      return ended("timeout", "the time limit was reached");
    case "break_down":
      return ended("internal-error", "the executor failed");
    case "ask":
      return await ask(request);
    default:
      return ended("vm-error", "no such method");
  }
}

async function ask(request: ExecutionRequest): Promise<ExecutionResult> {
  if ("provider" in request.model) throw new Error("the scripted contract asks provider objects only");
  const own = await request.model.answer({
    prompt: "What is it?",
    responseFormat: "text",
    signal: new AbortController().signal,
  });
  if (request.mode.role === "leader") {
    return { ...returned(request, null, own), nondetOutputs: [withCode(own)] };
  }
  const [theirs] = request.mode.leaderOutputs;
  const answer = decodeCalldata((theirs ?? new Uint8Array()).subarray(1));
  if (typeof answer !== "string") throw new Error("the leader answered with text");
  return { ...returned(request, null, answer), validatorVotes: [answer === own] };
}

function withCode(answer: string): Uint8Array {
  return Buffer.concat([Buffer.of(0), encodeCalldata(answer)]);
}

const NOTHING = { nondetOutputs: [], validatorVotes: [], stdout: "", stderr: "" } as const;

function returned(request: ExecutionRequest, value: string | null, stored: string): ExecutionResult {
  const state = request.kind === "read" ? null : new TextEncoder().encode(stored);
  return { ...NOTHING, kind: "return", data: encodeCalldata(value), state };
}

function ended(kind: ExecutionResult["kind"], text: string): ExecutionResult {
  return { ...NOTHING, kind, data: new TextEncoder().encode(text), state: null };
}
