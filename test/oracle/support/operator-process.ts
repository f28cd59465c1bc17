import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareEnvironment } from "@assay/localnet";
import type { Operator } from "../../../oracle/src/index.ts";

const ENTRY = join(import.meta.dirname, "../../../oracle/src/bin/operator.ts");

/** The operator's program, running or ended. */
export interface Run {
  readonly process: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
}

/** Starts programs, and ends those that still run. */
export class Runs {
  readonly #runs: Run[] = [];

  /**
   * @param limitKiB most KiB that the program may write into one file, as on a disk that is full
   */
  start(env: Record<string, string>, args: readonly string[] = [], limitKiB?: number): Run {
    const [command, all] =
      limitKiB === undefined
        ? [process.execPath, [ENTRY, ...args]]
        : ["bash", ["-c", `ulimit -f ${limitKiB}; exec "$@"`, "bash", process.execPath, ENTRY, ...args]];
    const child = spawn(command, all, {
      env: { ...bareEnvironment(tmpdir()), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (part: Buffer) => (output.stdout += part.toString()));
    child.stderr.on("data", (part: Buffer) => (output.stderr += part.toString()));
    const ended = once(child, "close").then(
      ([code, signal]) => (code as number | null) ?? (signal as string),
    );
    const run = { process: child, output, ended };
    this.#runs.push(run);
    return run;
  }

  async end(): Promise<void> {
    for (const run of this.#runs.splice(0)) {
      run.process.kill("SIGKILL");
      await run.ended;
    }
  }
}

/** The operator, once its program says where it listens. */
export async function listening(run: Run): Promise<Operator> {
  while (!run.output.stdout.includes("\n")) {
    const end = await Promise.race([
      run.ended,
      new Promise<null>((resolve) => setTimeout(resolve, 20, null)),
    ]);
    if (end !== null) throw new Error(`ended with ${end}: ${run.output.stderr}`);
  }
  const { url } = JSON.parse(run.output.stdout) as { url: string };
  return { url } as Operator;
}
