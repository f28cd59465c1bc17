import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { Runs, listening, type Run } from "../support/operator-process.ts";
import { serveRpc } from "../support/serve-rpc.ts";
import { KEYS, createWorld, deliver, put, submissionOf, until, type World } from "../support/world.ts";

describe("operator process", () => {
  let world: World;
  let evm: Awaited<ReturnType<typeof serveRpc>>;
  const runs = new Runs();

  /** Milliseconds that every answer of the chain takes. */
  let delay: number;

  beforeEach(async () => {
    world = await createWorld();
    delay = 0;
    const rpc = world.evm.rpc();
    evm = await serveRpc({
      origin: rpc.origin,
      async send(method, parameters) {
        if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
        return rpc.send(method, parameters);
      },
    });
  });
  afterEach(async () => {
    await runs.end();
    await evm.stop();
    await world.end();
  });

  function run(changes: Record<string, string> = {}, limitKiB?: number): Run {
    return runs.start(
      { ...world.env, ASSAY_EVM_RPC_URL: `${evm.url}/v2/CANARY-IN-URL`, ...changes },
      [],
      limitKiB,
    );
  }

  it("says where it listens in one line, settles, and drains on SIGTERM; no key or URL path is in its log", async () => {
    const started = run();
    const operator = await listening(started);
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"], { timeout: 30_000 });
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
  }).timeout(60_000);

  it("settles after a kill -9 in the middle, once", async () => {
    world.genLayer.looksToFinal = 20;
    const first = run();
    const { agreementId } = await deliver(world, await listening(first));
    await until(world, await listening(first), agreementId, ["JUDGING", "PROVISIONAL"], { timeout: 30_000 });
    first.process.kill("SIGKILL");
    expect(await first.ended).to.equal("SIGKILL");
    const second = run();
    await until(world, await listening(second), agreementId, ["SETTLED"], { timeout: 30_000 });
    expect(world.genLayer.transactions).to.have.length(1);
    expect(world.evm.settlements).to.have.length(1);
  }).timeout(60_000);

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
  }).timeout(60_000);

  it("ends with 1 on another chain than the configured one", async () => {
    const { ended, output } = run({ ASSAY_EVM_CHAIN_ID: "1" });
    expect(await ended).to.equal(1);
    expect(output.stderr.trim()).to.equal(`${evm.url} answers for chain 31337, ASSAY_EVM_CHAIN_ID says 1`);
  }).timeout(60_000);

  it("ends with 1 on a token with other decimals than expected", async () => {
    const { ended, output } = run({ ASSAY_TOKEN_DECIMALS: "18" });
    expect(await ended).to.equal(1);
    expect(output.stderr.trim()).to.equal("the escrow's token has 6 decimals, ASSAY_TOKEN_DECIMALS says 18");
  }).timeout(60_000);

  it("ends with 1 when there is no contract at the escrow's address", async () => {
    world.evm.fault = (method) => (method === "eth_getCode" ? "0x" : undefined);
    const { ended, output } = run();
    expect(await ended).to.equal(1);
    expect(output.stderr.trim()).to.match(/^there is no contract at ASSAY_ESCROW 0x5FbDB/);
  }).timeout(60_000);

  it("ends with 75 when a chain can't be reached: starting again may help", async () => {
    const { ended, output } = run({ ASSAY_EVM_RPC_URL: "http://127.0.0.1:9/CANARY" });
    expect(await ended).to.equal(75);
    expect(output.stderr.trim()).to.match(/^eth_chainId at http:\/\/127\.0\.0\.1:9 failed/);
    expect(output.stderr).to.not.include("CANARY");
  }).timeout(60_000);

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
  }).timeout(60_000);

  it("ends with 1 when another operator uses its folder", async () => {
    await listening(run());
    const { ended, output } = run();
    expect(await ended).to.equal(1);
    expect(output.stderr.trim()).to.match(/^another operator process uses .*operator\.sqlite; stop it/);
  }).timeout(60_000);

  it("ends with 1 when its database was filled from other contracts", async () => {
    const first = run();
    await listening(first);
    first.process.kill("SIGINT");
    expect(await first.ended).to.equal(0);
    const { ended, output } = run({ ASSAY_ESCROW: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0" });
    expect(await ended).to.equal(1);
    expect(output.stderr).to.match(/use another ASSAY_DATA_DIR/);
  }).timeout(60_000);

  it("ends with 1 when its operator list is about another set", async () => {
    const list = join(world.dataDir, "operators.json");
    await writeFile(list, JSON.stringify({ schema: "assay/operators/1" }));
    const { ended, output } = run({ ASSAY_OPERATORS_FILE: list });
    expect(await ended).to.equal(1);
    expect(output.stderr).to.match(/^the operator list .*operators\.json can't be used:\n {2}chainId: /);
  }).timeout(60_000);

  it("ends with 75 when its disk is full, with nothing acknowledged that is not written, and goes on with room", async () => {
    // Enough to begin with; the journal outgrows it.
    const first = run({}, 700);
    const operator = await listening(first);
    const { agreementId } = await deliver(world, operator);
    const large = submissionOf(agreementId, "x".repeat(400_000)).bytes;
    const answers = [await put(operator, large).catch(() => null)];
    for (let index = 0; index < 3 && answers.at(-1)?.status === 201; index++)
      answers.push(
        await put(operator, submissionOf(agreementId, `${index}`.repeat(400_000)).bytes).catch(() => null),
      );
    for (let blocks = 0; blocks < 200 && first.process.exitCode === null; blocks++) {
      world.evm.mine();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await first.ended).to.equal(75);
    expect(answers.at(-1)?.status ?? 500).to.equal(500);
    expect(first.output.stderr).to.match(/"level":"fatal".*"name":"StoreError"/);

    const second = await listening(run());
    await until(world, second, agreementId, ["SETTLED"], { timeout: 30_000 });
    expect(world.genLayer.transactions).to.have.length(1);
    expect(world.evm.settlements).to.have.length(1);
  }).timeout(60_000);

  it("on SIGTERM says that it is not ready, ends what is under way, and leaves in good order", async () => {
    const started = run();
    const operator = await listening(started);
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["JUDGING", "PROVISIONAL", "VERDICT_FINAL"], {
      timeout: 30_000,
    });
    // The endpoint is slow from now on, so that a call is under way when the signal comes.
    delay = 1_500;
    await new Promise((resolve) => setTimeout(resolve, 200));
    started.process.kill("SIGTERM");
    const ready = await eventually(async () => {
      const response = await fetch(`${operator.url}/readyz`);
      const body = (await response.json()) as { draining: boolean };
      return body.draining ? { status: response.status, ...body } : null;
    });
    expect(ready).to.include({ status: 503, ready: false });
    expect(await started.ended).to.equal(0);
    expect(started.output.stderr).to.match(/"msg":"Stopped"/);
    delay = 0;
    await until(world, await listening(run()), agreementId, ["SETTLED"], { timeout: 30_000 });
    expect(world.evm.settlements).to.have.length(1);
  }).timeout(60_000);
});

async function eventually<T>(look: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it never came to hold");
}
