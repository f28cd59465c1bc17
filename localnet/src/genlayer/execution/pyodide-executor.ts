import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";
import { modelProvider } from "../models/index.ts";
import type { ModelProvider } from "../models/model.ts";
import {
  ContractLoadError,
  type ContractSchema,
  type ExecutionRequest,
  type ExecutionResult,
  type Executor,
  type ExecutorOptions,
} from "./executor.ts";
import { answerHostCall } from "./host-calls.ts";
import { snapshotName } from "./interpreter.ts";
import type { WorkerInit, WorkerMessage, WorkerTask } from "./protocol.ts";
import { httpFetcher, type WebFetcher } from "./web.ts";

const DEFAULT_MEMORY_BYTES = 512 << 20;
/** Memory never shrinks, so an instance that has grown beyond this is replaced after its run. */
const REPLACE_ABOVE_BYTES = 96 << 20;
/** A contract that loads slower than this has no schema. */
const SCHEMA_TIMEOUT_MILLISECONDS = 10_000;
const SNAPSHOT_DIRECTORY = new URL("../../../../node_modules/.cache/assay/", import.meta.url);

type Outcome = { readonly answer: string } | { readonly timeout: true } | { readonly failure: string };

/**
 * An executor that runs contracts in CPython on WebAssembly, one instance per worker thread.
 *
 * A run that reaches its time limit is ended by terminating its thread; the instance is then replaced. A call to a
 * model or to the web blocks the run's own thread only.
 *
 * @throws RangeError when `instances` is not a positive integer
 */
export async function createPyodideExecutor(options: ExecutorOptions): Promise<Executor> {
  const { instances, memoryBytes = DEFAULT_MEMORY_BYTES, web = httpFetcher() } = options;
  if (!Number.isInteger(instances) || instances < 1) {
    throw new RangeError(`instances is a positive integer, not ${instances}`);
  }
  const snapshot = await obtainSnapshot();
  const start = (): Promise<Instance> => startInstance(snapshot, memoryBytes);
  const pool = new Pool(start, await startAll(instances, start));

  return {
    async execute(request) {
      const task: WorkerTask = {
        type: "execute",
        code: request.code,
        state: request.state,
        calldata: request.calldata,
        request: describe(request),
      };
      const services = { model: modelProvider(request.model), web };
      const outcome = await pool.run((instance) =>
        instance.run(task, services, request.limits.timeoutMilliseconds),
      );
      return resultOf(outcome);
    },

    async schema(code) {
      const services = { model: NO_MODEL, web };
      const outcome = await pool.run((instance) =>
        instance.run({ type: "schema", code }, services, SCHEMA_TIMEOUT_MILLISECONDS),
      );
      if (!("answer" in outcome)) {
        throw new ContractLoadError(
          "timeout" in outcome ? "the contract loads for too long" : outcome.failure,
        );
      }
      const answer = JSON.parse(outcome.answer) as { schema: ContractSchema } | { error: string };
      if ("error" in answer) {
        throw new ContractLoadError(answer.error);
      }
      return answer.schema;
    },

    stop: () => pool.stop(),
  };
}

const NO_MODEL: ModelProvider = {
  description: "none",
  answer: () => Promise.reject(new Error("a schema asks no model")),
};

function describe(request: ExecutionRequest): string {
  const { message, mode } = request;
  return JSON.stringify({
    kind: request.kind,
    message: { ...message, value: String(message.value), chainId: String(message.chainId) },
    leaderOutputs:
      mode.role === "leader" ? null : mode.leaderOutputs.map((output) => Buffer.from(output).toString("hex")),
  });
}

interface Answer {
  readonly kind: "return" | "user-error" | "vm-error";
  readonly data: string;
  readonly state: string | null;
  readonly outputs: readonly string[];
  readonly votes: readonly boolean[];
  readonly stdout: string;
  readonly stderr: string;
}

function resultOf(outcome: Outcome): ExecutionResult {
  if (!("answer" in outcome)) {
    const text = "timeout" in outcome ? "the time limit was reached" : outcome.failure;
    return {
      kind: "timeout" in outcome ? "timeout" : "internal-error",
      data: Buffer.from(text),
      state: null,
      nondetOutputs: [],
      validatorVotes: [],
      stdout: "",
      stderr: "",
    };
  }
  const answer = JSON.parse(outcome.answer) as Answer;
  return {
    kind: answer.kind,
    data: Buffer.from(answer.data, "hex"),
    state: answer.state === null ? null : Buffer.from(answer.state, "hex"),
    nondetOutputs: answer.outputs.map((output) => Buffer.from(output, "hex")),
    validatorVotes: answer.votes,
    stdout: answer.stdout,
    stderr: answer.stderr,
  };
}

/** Starts so many instances, or none. */
async function startAll(count: number, start: () => Promise<Instance>): Promise<readonly Instance[]> {
  const results = await Promise.allSettled(Array.from({ length: count }, start));
  const started = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(started.map((instance) => instance.stop()));
    throw failed.reason;
  }
  return started;
}

interface Instance {
  /** After an outcome without an answer, or when `worn`, the instance must be replaced. */
  run(
    task: WorkerTask,
    services: { model: ModelProvider; web: WebFetcher },
    timeout: number,
  ): Promise<Outcome>;
  readonly worn: boolean;
  stop(): Promise<void>;
}

async function startInstance(snapshot: Uint8Array, memoryBytes: number): Promise<Instance> {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const { port1: answers, port2: received } = new MessageChannel();
  const init: WorkerInit = { snapshot, signal, answers: received, memoryBytes };
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: init,
    transferList: [received],
    stdout: true,
    stderr: true,
  });
  // An idle instance does not keep the process alive; a run does, by its own timer.
  answers.unref();
  let worn = false;
  let listener: (message: WorkerMessage) => void = () => undefined;
  worker.on("message", (message: WorkerMessage) => listener(message));
  const fail = (reason: string): void => {
    worn = true;
    listener({ type: "failed", reason });
  };
  worker.on("error", (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.on("exit", () => fail("the interpreter's thread has ended"));

  await new Promise<void>((resolve, reject) => {
    listener = (message) => {
      if (message.type === "ready") {
        resolve();
      } else if (message.type === "failed") {
        reject(new Error(`CPython does not start: ${message.reason}`));
      }
    };
  });
  worker.unref();

  return {
    get worn() {
      return worn;
    },

    run: (task, services, timeout) =>
      new Promise((resolve) => {
        const abort = new AbortController();
        const finish = (outcome: Outcome): void => {
          clearTimeout(timer);
          abort.abort();
          listener = () => undefined;
          worn ||= !("answer" in outcome);
          resolve(outcome);
        };
        const timer = setTimeout(() => finish({ timeout: true }), timeout);
        listener = (message) => {
          if (message.type === "host-call") {
            void answerHostCall(message.kind, message.payload, services, abort.signal).then((answer) => {
              if (!abort.signal.aborted) {
                answers.postMessage(answer);
                Atomics.store(signal, 0, 1);
                Atomics.notify(signal, 0);
              }
            });
          } else if (message.type === "done") {
            worn ||= message.heapBytes > REPLACE_ABOVE_BYTES;
            finish({ answer: message.answer });
          } else if (message.type === "failed") {
            finish({ failure: message.reason });
          }
        };
        worker.postMessage(task);
      }),

    async stop() {
      answers.close();
      await worker.terminate();
    },
  };
}

/** Lends instances one run at a time, in the order of asking, and replaces those that are worn. */
class Pool {
  readonly #start: () => Promise<Instance>;
  readonly #all: Set<Instance>;
  readonly #idle: Instance[];
  readonly #waiting: { take: (instance: Instance) => void; refuse: (error: Error) => void }[] = [];
  #stopped = false;

  constructor(start: () => Promise<Instance>, instances: readonly Instance[]) {
    this.#start = start;
    this.#all = new Set(instances);
    this.#idle = [...instances];
  }

  async run(task: (instance: Instance) => Promise<Outcome>): Promise<Outcome> {
    let instance = await this.#borrow();
    // An idle instance may have died.
    while (instance.worn) {
      this.#giveBack(instance);
      instance = await this.#borrow();
    }
    const outcome = await task(instance);
    if (this.#stopped) {
      throw stopped();
    }
    this.#giveBack(instance);
    return outcome;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { refuse } of this.#waiting.splice(0)) {
      refuse(stopped());
    }
    await Promise.all([...this.#all].map((instance) => instance.stop()));
  }

  #borrow(): Promise<Instance> {
    if (this.#stopped) {
      return Promise.reject(stopped());
    }
    const instance = this.#idle.pop();
    return instance !== undefined
      ? Promise.resolve(instance)
      : new Promise((take, refuse) => this.#waiting.push({ take, refuse }));
  }

  #giveBack(instance: Instance): void {
    if (instance.worn) {
      this.#all.delete(instance);
      void instance.stop();
      void this.#replace();
    } else {
      this.#lend(instance);
    }
  }

  #lend(instance: Instance): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#idle.push(instance);
    } else {
      next.take(instance);
    }
  }

  async #replace(): Promise<void> {
    try {
      const instance = await this.#start();
      if (this.#stopped) {
        await instance.stop();
        return;
      }
      this.#all.add(instance);
      this.#lend(instance);
    } catch (error) {
      if (this.#all.size === 0) {
        const reason = error instanceof Error ? error : new Error(String(error));
        for (const { refuse } of this.#waiting.splice(0)) {
          refuse(reason);
        }
      }
    }
  }
}

function stopped(): Error {
  return new Error("the executor has been stopped");
}

// Made once per version of CPython and of our package; without a cache directory, once per start.
async function obtainSnapshot(): Promise<Uint8Array> {
  const file = new URL(snapshotName(), SNAPSHOT_DIRECTORY);
  try {
    return shared(await readFile(file));
  } catch {
    const made = await makeSnapshotInWorker();
    try {
      const partial = `${fileURLToPath(file)}.${randomBytes(6).toString("hex")}`;
      await mkdir(dirname(partial), { recursive: true });
      await writeFile(partial, made);
      await rename(partial, file);
      await removeOtherSnapshots(file);
    } catch {
      // A read-only installation: the next start makes it again.
    }
    return shared(made);
  }
}

// Those of other versions, each of which takes megabytes.
async function removeOtherSnapshots(file: URL): Promise<void> {
  const kept = basename(fileURLToPath(file));
  const names = await readdir(SNAPSHOT_DIRECTORY);
  const others = names.filter((name) => /^python-[0-9a-f]+\.bin$/.test(name) && name !== kept);
  await Promise.all(others.map((name) => rm(new URL(name, SNAPSHOT_DIRECTORY), { force: true })));
}

// One copy for all workers.
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function makeSnapshotInWorker(): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./snapshot-worker.ts", import.meta.url));
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("CPython's snapshot could not be made")));
  });
}
