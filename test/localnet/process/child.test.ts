import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { LocalnetError } from "../../../localnet/src/errors.ts";
import { bareEnvironment, startChild, type ChildParameters } from "../../../localnet/src/process/index.ts";

const shell = (script: string, changes: Partial<ChildParameters> = {}): ChildParameters => ({
  title: "The test's child",
  command: "/bin/sh",
  args: ["-c", script],
  env: bareEnvironment("/tmp"),
  stopSignal: "SIGINT",
  stopMilliseconds: 300,
  ...changes,
});

/** A process that has ended and that nobody has waited for yet, a zombie, is not alive. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

const refusal = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((reason: unknown) => reason);

describe("localnet child", () => {
  it("reports a program that does not exist in one sentence", async () => {
    const error = await refusal(startChild(shell("", { command: "/nowhere/program" })));
    expect(error).to.be.instanceOf(LocalnetError);
    expect(error).to.include({
      code: "BINARY_MISSING",
      message: "The test's child could not be started: /nowhere/program does not exist.",
    });
  });

  it("reports a program that may not be executed", async () => {
    const error = await refusal(startChild(shell("", { command: "/etc/passwd" })));
    expect(error).to.have.property("code", "ENVIRONMENT");
    expect(error).to.have.property("message").that.includes("EACCES");
  });

  it("tells of a death that nobody asked for, with the last words", async () => {
    const child = await startChild(shell("echo all is lost >&2; exit 3"));
    expect(await child.failed).to.include({
      code: "CHILD_DIED",
      message: "The test's child ended unexpectedly (exit code 3).",
      hint: "Its last output was:\nall is lost",
    });
  });

  it("tells of a death by signal", async () => {
    const child = await startChild(shell("sleep 60"));
    process.kill(child.pid, "SIGKILL");
    expect(await child.failed)
      .to.have.property("message")
      .that.includes("signal SIGKILL");
  });

  it("says nothing of a death that was asked for", async () => {
    const child = await startChild(shell("sleep 60"));
    await child.stop();
    expect(await Promise.race([child.failed, delay(50, "silence")])).to.equal("silence");
  });

  it("ends a program that ignores the request, with all its children", async () => {
    const child = await startChild(shell("trap '' INT; sleep 61 & echo $!; wait; sleep 62"));
    await child.untilReady(() => Promise.resolve(/^\d+$/m.test(child.output())), 5_000);
    const grandchild = Number(child.output());
    await child.stop();
    await delay(50);
    expect(isAlive(child.pid)).to.equal(false);
    expect(isAlive(grandchild)).to.equal(false);
  });

  it("can be stopped many times, and after its end", async () => {
    const child = await startChild(shell("sleep 60"));
    await Promise.all([child.stop(), child.stop()]);
    await child.stop();
    const ended = await startChild(shell("true"));
    await ended.failed;
    await ended.stop();
  });

  it("is not ready when it dies first, and the death is the reason given", async () => {
    const child = await startChild(shell("echo no >&2; exit 1"));
    const error = await refusal(child.untilReady(() => Promise.resolve(false), 5_000));
    expect(error).to.have.property("code", "CHILD_DIED");
  });

  it("is ended when it is not ready in time", async () => {
    const child = await startChild(shell("sleep 60"));
    const error = await refusal(child.untilReady(() => Promise.reject(new Error("not yet")), 100));
    expect(error).to.include({
      code: "START_TIMEOUT",
      message: "The test's child was not ready after 0.1 s.",
    });
    expect(isAlive(child.pid)).to.equal(false);
  });

  it("inherits nothing from this process's environment but the path", async () => {
    process.env["ASSAY_TEST_LEAK"] = "leaked";
    const child = await startChild(shell("env; sleep 60"));
    await child.untilReady(() => Promise.resolve(child.output().includes("LC_ALL=C")), 5_000);
    delete process.env["ASSAY_TEST_LEAK"];
    expect(child.output()).to.not.include("leaked");
    await child.stop();
  });
});

describe("localnet parent that dies", function () {
  this.timeout(20_000);

  /** A process that starts a child and a temporary folder, prints both, then does as told. */
  const PARENT = `
    import { startChild, bareEnvironment, createTemporaryFolder } from ${JSON.stringify(
      new URL("../../../localnet/src/process/index.ts", import.meta.url).href,
    )};
    const folder = await createTemporaryFolder("orphan");
    const child = await startChild({
      title: "orphan", command: "/bin/sh", args: ["-c", "trap '' INT; sleep 63 & wait; sleep 64"],
      env: bareEnvironment("/tmp"), stopSignal: "SIGINT", stopMilliseconds: 1000,
    });
    console.log(JSON.stringify({ pid: child.pid, path: folder.path }));
  `;

  const endings: Record<string, { code: string; signal?: NodeJS.Signals }> = {
    "by SIGKILL": { code: "setInterval(() => {}, 1000);", signal: "SIGKILL" },
    "by SIGTERM": { code: "setInterval(() => {}, 1000);", signal: "SIGTERM" },
    "by SIGINT": { code: "setInterval(() => {}, 1000);", signal: "SIGINT" },
    "by process.exit": { code: "process.exit(0);" },
    "by an uncaught error": { code: "throw new Error('on purpose');" },
  };

  for (const [how, { code, signal }] of Object.entries(endings)) {
    it(`${how} leaves neither a process nor a folder`, async () => {
      const parent = await startChild({
        ...shell(""),
        command: process.execPath,
        args: ["--input-type=module", "-e", PARENT + code],
      });
      await parent
        .untilReady(() => Promise.resolve(/^\{.*\}$/m.test(parent.output())), 15_000)
        .catch(() => undefined);
      const [line] = /^\{.*\}$/m.exec(parent.output())!;
      const { pid, path } = JSON.parse(line) as { pid: number; path: string };
      if (signal !== undefined) process.kill(parent.pid, signal);
      await parent.failed;
      for (let wait = 0; wait < 60 && (isAlive(pid) || existsSync(path)); wait++) await delay(50);
      expect(isAlive(pid), "process").to.equal(false);
      expect(existsSync(path), "folder").to.equal(false);
    });
  }
});
