import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bytecodes } from "./compile.ts";
import type { Request, TestResult } from "./tester.ts";

const TESTER = fileURLToPath(new URL("tester.ts", import.meta.url));

/** Far beyond what any test file takes on the busiest machine, so that only a mutant that hangs is noticed by it. */
const TIMEOUT_MILLISECONDS = 900_000;

/** What the contract tests need beside themselves. */
const NEEDED = [
  "contracts-evm",
  "test/evm",
  "test/vectors",
  "localnet/src/evm",
  "localnet/src/process",
  "package.json",
];

/** Compared with a snapshot, gas notices almost everything and proves little. */
const LEFT_OUT = ["test/evm/gas.test.ts"];

/** A copy of the contracts and their tests, whose compiled code may be exchanged. */
export class Workshop {
  readonly path: string;
  #tester: ChildProcess | undefined;

  private constructor() {
    this.path = mkdtempSync(join(tmpdir(), "assay-mutation-"));
  }

  /** Copies the project and compiles it. @throws when it doesn't compile */
  static build(root: string): Workshop {
    const workshop = new Workshop();
    const copy = (path: string) => cpSync(join(root, path), join(workshop.path, path), { recursive: true });
    for (const path of [...NEEDED, ...globSync("localnet/src/*.ts", { cwd: root })]) copy(path);
    for (const path of LEFT_OUT) rmSync(join(workshop.path, path));
    symlinkSync(join(root, "node_modules"), join(workshop.path, "node_modules"));
    const config = readFileSync(join(root, "hardhat.config.ts"), "utf8");
    writeFileSync(join(workshop.path, "hardhat.config.ts"), config.replace("viaIR: true", "viaIR: false"));
    const build = spawnSync(
      process.execPath,
      [join(root, "node_modules/hardhat/dist/src/cli.js"), "--no-typechain", "build"],
      {
        cwd: workshop.path,
        encoding: "utf8",
        env: { ...process.env, CI: "1" },
      },
    );
    if (build.status !== 0) throw new Error(`the contracts don't compile:\n${build.stdout}${build.stderr}`);
    return workshop;
  }

  /** Another one like it, to work beside it. */
  clone(): Workshop {
    const workshop = new Workshop();
    cpSync(this.path, workshop.path, { recursive: true, verbatimSymlinks: true });
    return workshop;
  }

  /** The test files, from the workshop's root, in order of name. */
  tests(): string[] {
    return globSync("test/evm/**/*.test.ts", { cwd: this.path }).sort();
  }

  /** Makes the tests run on this code. */
  install(bytecodes: Bytecodes): void {
    for (const [name, bytecode] of bytecodes) {
      const path = join(this.path, "artifacts", `${name.replace(":", "/")}.json`);
      const artifact = JSON.parse(readFileSync(path, "utf8")) as object;
      writeFileSync(path, JSON.stringify({ ...artifact, bytecode }));
    }
  }

  /** Runs a test file up to its first failure, or one test of it. */
  async run(request: Request): Promise<TestResult> {
    this.#tester ??= fork(TESTER, { cwd: this.path, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const tester = this.#tester;
    const result = await new Promise<TestResult>((settle, fail) => {
      const timer = setTimeout(() => settle({ outcome: "timed out" }), TIMEOUT_MILLISECONDS);
      tester.once("message", (answer: TestResult) => {
        clearTimeout(timer);
        settle(answer);
      });
      tester.once("exit", (code) => fail(new Error(`${request.file} ended its process, code ${code}`)));
      tester.send(request);
    });
    tester.removeAllListeners();
    if (result.outcome === "rejected" || result.outcome === "timed out") this.refresh();
    return result;
  }

  /** Makes the next run one in a new process, which no earlier run can have touched. */
  refresh(): void {
    this.#tester?.removeAllListeners();
    this.#tester?.kill("SIGKILL");
    this.#tester = undefined;
  }

  /** Stops what runs and removes the copy. */
  close(): void {
    this.refresh();
    rmSync(this.path, { recursive: true, force: true });
  }
}
