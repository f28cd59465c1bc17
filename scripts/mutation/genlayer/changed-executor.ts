import type { ExecutionRequest, Executor } from "../../../localnet/src/genlayer/execution/executor.ts";

/** A contract's own text, and the one that runs in its place. */
export interface Change {
  original: string;
  changed: string;
}

/** What happened to the runs of one executor. */
export interface Watch {
  /** Wall-clock milliseconds after which a run is stopped. */
  timeoutMilliseconds: number;
  /** CPU seconds without an end that make a run one that loops. */
  loopSeconds: number;
  /** A run had its CPU seconds and did not end. */
  looped: boolean;
  /** A run was stopped before it had them: the machine was busy, and nothing is known. */
  starved: boolean;
  /** Numbers that {@link Python.marked} sources printed, by the place of the change. */
  marks: Set<number>[];
}

/** Where the contract class begins; what stands before it is also run on its own, with another class behind it. */
const classOf = (source: string): number => source.search(/^class \w+\(gl\.Contract\):/m);

/** The code to run instead of `code`, and which change that is. */
function replaced(code: string, changes: readonly Change[]): [string, number] {
  for (const [index, { original, changed }] of changes.entries()) {
    if (code === original) return [changed, index];
    const before = original.slice(0, classOf(original));
    if (code.startsWith(before)) {
      return [changed.slice(0, classOf(changed)) + code.slice(before.length), index];
    }
  }
  return [code, -1];
}

/** Runs changed contracts in the place of the originals, and tells loops from a busy machine. */
export function changedExecutor(inner: Executor, changes: readonly Change[], watch: Watch): Executor {
  return {
    async execute(request: ExecutionRequest) {
      const [code, place] = replaced(Buffer.from(request.code).toString(), changes);
      const before = process.cpuUsage();
      const result = await inner.execute({
        ...request,
        code: Buffer.from(code),
        limits: { timeoutMilliseconds: watch.timeoutMilliseconds },
      });
      if (result.kind === "timeout") {
        const { user, system } = process.cpuUsage(before);
        if (user + system >= watch.loopSeconds * 1e6) watch.looped = true;
        else watch.starved = true;
      }
      for (const [, number] of result.stdout.matchAll(/^@(\d+)$/gm)) watch.marks[place]?.add(Number(number));
      return result;
    },
    schema: (code) => inner.schema(code),
    stop: () => inner.stop(),
  };
}
