import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import type { Operator } from "../../../oracle/src/index.ts";
import { serveRpc } from "../support/serve-rpc.ts";
import { KEYS, createWorld, deliver, until, type World } from "../support/world.ts";

const ENTRY = join(import.meta.dirname, "../../../oracle/src/bin/operator.ts");

interface Run {
  readonly process: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
}

describe("operator process", () => {
  let world: World;
  let evm: Awaited<ReturnType<typeof serveRpc>>;
  const runs: Run[] = [];

  beforeEach(async () => {
    world = await createWorld();
    evm = await serveRpc(world.evm.rpc());
  });
  afterEach(async () => {
    for (const run of runs.splice(0)) {
      run.process.kill("SIGKILL");
      await run.ended;
    }
    await evm.stop();
    await world.end();
  });

  function run(changes: Record<string, string> = {}): Run {
    const child = spawn(process.execPath, [ENTRY], {
      env: {
        PATH: process.env["PATH"],
        ...world.env,
        ASSAY_EVM_RPC_URL: `${evm.url}/v2/CANARY-IN-URL`,
        ...changes,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (part: Buffer) => (output.stdout += part.toString()));
    child.stderr.on("data", (part: Buffer) => (output.stderr += part.toString()));
    const ended = once(child, "close").then(
      ([code, signal]) => (code as number | null) ?? (signal as string),
    );
    const started = { process: child, output, ended };
    runs.push(started);
    return started;
  }

  async function listening(started: Run): Promise<Operator> {
    while (!started.output.stdout.includes("\n")) {
      const end = await Promise.race([
        started.ended,
        new Promise<null>((resolve) => setTimeout(resolve, 20, null)),
      ]);
      if (end !== null) throw new Error(`ended with ${end}: ${started.output.stderr}`);
    }
    const { url } = JSON.parse(started.output.stdout) as { url: string };
    return { url } as Operator;
  }

  it("says where it listens in one line, settles, and drains on SIGTERM; no key or URL path is in its log", async () => {
    const started = run();
    const operator = await listening(started);
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"], { timeout: 15_000 });
    // Some trouble, so that errors are logged too.
    world.genLayer.fault = () => ({ status: 500, text: "<html>CANARY-IN-BODY</html>" });
    world.evm.fault = () => {
      throw new Error("down");
    };
    await new Promise((resolve) => setTimeout(resolve, 200));
    started.process.kill("SIGTERM");
    expect(await started.ended).to.equal(0);

    expect(started.output.stdout.trimEnd().split("\n")).to.have.length(1);
    expect(JSON.parse(started.output.stdout)).to.deep.equal({ event: "listening", url: operator.url });
    const lines = started.output.stderr.trimEnd().split("\n");
    expect(lines.length).to.be.greaterThan(10);
    for (const line of lines) expect(() => JSON.parse(line) as unknown, line).to.not.throw();
    for (const canary of [...Object.values(KEYS).map((key) => key.slice(2)), "CANARY"])
      expect(started.output.stderr).to.not.include(canary);
  }).timeout(40_000);

  it("settles after a kill -9 in the middle, once", async () => {
    world.genLayer.looksToFinal = 20;
    const first = run();
    const { agreementId } = await deliver(world, await listening(first));
    await until(world, await listening(first), agreementId, ["JUDGING", "PROVISIONAL"], { timeout: 15_000 });
    first.process.kill("SIGKILL");
    expect(await first.ended).to.equal("SIGKILL");
    const second = run();
    await until(world, await listening(second), agreementId, ["SETTLED"], { timeout: 15_000 });
    expect(world.genLayer.transactions).to.have.length(1);
    expect(world.evm.settlements).to.have.length(1);
  }).timeout(40_000);

  it("ends with 1 and lists everything that is wrong with its configuration", async () => {
    const { ended, output } = run({
      ASSAY_ESCROW: "0x12",
      ASSAY_HTTP_PORT: "-1",
      ASSAY_RELAYER_KEY: "CANARY",
    });
    expect(await ended).to.equal(1);
    expect(output.stdout).to.equal("");
    expect(output.stderr).to.match(
      /the configuration has 3 problems:\n {2}ASSAY_ESCROW .*\n {2}ASSAY_RELAYER_KEY .*\n {2}ASSAY_HTTP_PORT /,
    );
    expect(output.stderr).to.not.include("CANARY");
  }).timeout(20_000);

  it("ends with 1 on another chain than the configured one", async () => {
    const { ended, output } = run({ ASSAY_EVM_CHAIN_ID: "1" });
    expect(await ended).to.equal(1);
    expect(output.stderr.trim()).to.equal(`${evm.url} answers for chain 31337, ASSAY_EVM_CHAIN_ID says 1`);
  }).timeout(20_000);

  it("ends with 1 on a token with other decimals than expected", async () => {
    const { ended, output } = run({ ASSAY_TOKEN_DECIMALS: "18" });
    expect(await ended).to.equal(1);
    expect(output.stderr.trim()).to.equal("the escrow's token has 6 decimals, ASSAY_TOKEN_DECIMALS says 18");
  }).timeout(20_000);

  it("ends with 1 when there is no contract at the escrow's address", async () => {
    world.evm.fault = (method) => (method === "eth_getCode" ? "0x" : undefined);
    const { ended, output } = run();
    expect(await ended).to.equal(1);
    expect(output.stderr.trim()).to.match(/^there is no contract at ASSAY_ESCROW 0x5FbDB/);
  }).timeout(20_000);

  it("ends with 75 when a chain can't be reached: starting again may help", async () => {
    const { ended, output } = run({ ASSAY_EVM_RPC_URL: "http://127.0.0.1:9/CANARY" });
    expect(await ended).to.equal(75);
    expect(output.stderr.trim()).to.match(/^eth_chainId at http:\/\/127\.0\.0\.1:9 failed/);
    expect(output.stderr).to.not.include("CANARY");
  }).timeout(20_000);

  it("ends with 1 when its port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const { ended, output } = run({ ASSAY_HTTP_PORT: String(port) });
    expect(await ended).to.equal(1);
    expect(output.stderr.trim()).to.equal(
      `port ${port} of 127.0.0.1 is in use; choose another ASSAY_HTTP_PORT, or 0 for any free one`,
    );
    other.close();
  }).timeout(20_000);

  it("ends with 1 when another operator uses its folder", async () => {
    await listening(run());
    const { ended, output } = run();
    expect(await ended).to.equal(1);
    expect(output.stderr.trim()).to.match(/^another operator process uses .*operator\.sqlite; stop it/);
  }).timeout(20_000);

  it("ends with 1 when its database was filled from other contracts", async () => {
    const first = run();
    await listening(first);
    first.process.kill("SIGINT");
    expect(await first.ended).to.equal(0);
    const { ended, output } = run({ ASSAY_ESCROW: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0" });
    expect(await ended).to.equal(1);
    expect(output.stderr).to.match(/use another ASSAY_DATA_DIR/);
  }).timeout(20_000);
});
