/**
 * A process that runs test files again and again, started in a workshop. Loading Hardhat takes longer than most files
 * take to run, so it is done once; every run begins on an empty chain and reads the contracts' code anew.
 *
 * Takes {@link Request}s and answers each with a {@link TestResult}, over the channel to its parent.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { TestRunner, type Run } from "../test-runner.ts";

/** What to run: a file up to its first failure, or only the test of that name in it. */
export interface Request {
  file: string;
  test?: string;
}

/** How it ended. A process that answers `rejected` isn't used again. */
export type TestResult = Run | { outcome: "rejected"; reason: string } | { outcome: "timed out" };

/** What the tests' own support module shares with them, and this process uses to empty the chain. */
interface World {
  networkHelpers: { clearSnapshots(): void };
  provider: { request(call: { method: string; params?: unknown[] }): Promise<unknown> };
}

const world = (await import(pathToFileURL(resolve("test/evm/support/world.ts")).href)) as World;
const takeSnapshot = () => world.provider.request({ method: "evm_snapshot" });
let empty = await takeSnapshot();
const runner = new TestRunner();

async function run({ file, test }: Request): Promise<TestResult> {
  await world.provider.request({ method: "evm_revert", params: [empty] });
  empty = await takeSnapshot();
  world.networkHelpers.clearSnapshots();
  return runner.run(file, test === undefined ? undefined : [test]);
}

// Hardhat ends a run, red, when a call rejects that no test is waiting for yet
process.on("unhandledRejection", (reason) => {
  process.send?.({ outcome: "rejected", reason: String(reason) } satisfies TestResult);
});
// Each of the files' runs listens too
process.setMaxListeners(0);
process.on("message", (request: Request) => {
  void run(request).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());
