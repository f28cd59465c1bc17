/** The tests that decide about mutants, in a process of their own that stays. */
import { fork, type ChildProcess } from "node:child_process";
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Answer, Batch, Outcome, Request } from "./tester.ts";
import type { Change } from "./changed-executor.ts";
import type { Trace } from "./tracer.ts";

const TESTER = fileURLToPath(new URL("tester.ts", import.meta.url));

/** Compares the sources with each other and with rules about their text, which says nothing about what they do. */
const LEFT_OUT = ["test/genlayer/contract-source.test.ts"];

/** The test files, from the project's root, in order of name. The attacks in `injection/` measure; they are left out. */
export const testFiles = (root: string): string[] =>
  globSync("test/genlayer/*.test.ts", { cwd: root })
    .filter((file) => !LEFT_OUT.includes(file))
    .sort();

/** A process with the tests loaded. */
export class Bench {
  readonly #root: string;
  #process: ChildProcess | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** Where each test of a file has been in changed contracts. @throws when one fails */
  async trace(changes: Change[], file: string): Promise<Trace[]> {
    const { traces, test } = await this.#ask({ changes, trace: file });
    if (traces === undefined) throw new Error(`"${test ?? ""}" in ${file} doesn't pass without any mutant`);
    return traces;
  }

  /** Runs batches on changed contracts until a test fails. */
  run(changes: Change[], batches: Batch[]): Promise<Outcome> {
    return this.#ask({ changes, batches });
  }

  close(): void {
    this.#process?.removeAllListeners();
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }

  async #ask(request: Request): Promise<Answer> {
    const tester = (this.#process ??= fork(TESTER, {
      cwd: this.#root,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    }));
    try {
      return await new Promise<Answer>((settle, fail) => {
        tester.once("message", settle);
        tester.once("exit", (code) => fail(new Error(`the tests ended their process, code ${code}`)));
        tester.send(request);
      });
    } finally {
      tester.removeAllListeners();
    }
  }
}
