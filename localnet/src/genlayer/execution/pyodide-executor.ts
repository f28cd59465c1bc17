import type { Executor, ExecutorOptions } from "./executor.ts";

/**
 * An executor that runs contracts in CPython on WebAssembly, one instance per worker thread.
 *
 * @throws RangeError when `instances` is not a positive integer
 */
export function createPyodideExecutor(options: ExecutorOptions): Promise<Executor> {
  return Promise.reject(new RangeError(`not available yet: ${options.instances} instances`));
}
