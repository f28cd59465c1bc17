/**
 * A process that has CPython and the tests loaded, and runs tests on changed contracts again and again.
 *
 * Takes {@link Request}s and answers each with an {@link Answer}, over the channel to its parent.
 */
import { createPyodideExecutor } from "../../../localnet/src/genlayer/execution/pyodide-executor.ts";
import type { Executor } from "../../../localnet/src/genlayer/execution/executor.ts";
import { useExecutor, web } from "../../../test/genlayer/support/executor.ts";
import { TestRunner } from "../test-runner.ts";
import { changedExecutor, type Change, type Watch } from "./changed-executor.ts";
import { Tracer, type Trace } from "./tracer.ts";

/** Tests of one file. */
export interface Batch {
  file: string;
  /** By full title. */
  tests: string[];
  /** CPU seconds without an end that make a run one that loops. */
  loopSeconds: number;
}

/** `trace` asks where a file's tests have been; otherwise batches are run one after the other until a test fails. */
export type Request = { changes: Change[] } & ({ trace: string } | { batches: Batch[] });

/** How it ended. */
export interface Outcome {
  outcome: "passed" | "failed" | "looped";
  file?: string;
  test?: string;
}

export type Answer = Outcome & { traces?: Trace[] };

/** CPU seconds that no run takes on contracts that end. */
const ENDLESS_SECONDS = 120;

/** An executor keeps the code of every contract that it ran, so it is exchanged now and then. */
const RUNS_OF_AN_EXECUTOR = 100;

const runner = new TestRunner();
let executor: Executor | undefined;
let runs = 0;

async function freshExecutor(): Promise<Executor> {
  if (runs++ % RUNS_OF_AN_EXECUTOR === 0) {
    await executor?.stop();
    executor = undefined;
  }
  return (executor ??= await createPyodideExecutor({
    instances: 1,
    memoryBytes: 256 << 20,
    web: { get: (request) => web.current.get(request) },
  }));
}

const watchFor = (loopSeconds: number, patience: number, marks: Set<number>[]): Watch => ({
  timeoutMilliseconds: loopSeconds * 1000 * patience,
  loopSeconds,
  looped: false,
  starved: false,
  marks,
});

async function run(changes: Change[], batches: Batch[]): Promise<Answer> {
  const inner = await freshExecutor();
  for (const { file, tests, loopSeconds } of batches) {
    for (let patience = 2; ; patience *= 2) {
      const watch = watchFor(loopSeconds, patience, []);
      useExecutor(changedExecutor(inner, changes, watch));
      const result = await runner.run(file, tests);
      if (watch.starved && !watch.looped) continue;
      if (result.outcome === "failed") {
        return { outcome: watch.looped ? "looped" : "failed", file, test: result.test };
      }
      break;
    }
  }
  return { outcome: "passed" };
}

async function trace(changes: Change[], file: string): Promise<Answer> {
  const inner = await freshExecutor();
  // An executor for each test, so that what tests keep for each executor is made in each of them
  const tracer = new Tracer(changes.length, (marks) =>
    useExecutor(changedExecutor(inner, changes, watchFor(ENDLESS_SECONDS, 4, marks))),
  );
  const result = await runner.run(file, undefined, tracer);
  if (result.outcome === "failed") return { outcome: "failed", file, test: result.test };
  return { outcome: "passed", traces: tracer.traces() };
}

// Each of the files' runs listens too
process.setMaxListeners(0);
process.on("message", (request: Request) => {
  const { changes } = request;
  const answer = "trace" in request ? trace(changes, request.trace) : run(changes, request.batches);
  void answer.then((message) => process.send?.(message));
});
process.on("disconnect", () => process.exit());
