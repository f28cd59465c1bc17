import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { descendantsOf, isAlive } from "./support/processes.ts";

const START = join(import.meta.dirname, "../../scripts/start.ts");

describe("npm start", function () {
  this.timeout(60_000);
  let child: ChildProcess;
  let said: string;
  let exited: Promise<number | null>;

  function start(...args: string[]): void {
    child = spawn(process.execPath, [START, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    said = "";
    child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    exited = once(child, "close").then(([code]) => code as number | null);
  }

  afterEach(() => child.kill("SIGKILL"));

  async function untilSaid(text: string): Promise<void> {
    while (!said.includes(text)) {
      if (child.exitCode !== null) throw new Error(`It ended without saying "${text}":\n${said}`);
      await sleep(50);
    }
  }

  /** Ends with the program; every process that it had started is gone within seconds. */
  async function expectNoOrphans(family: Map<number, string>): Promise<void> {
    const left = (): [number, string][] => [...family].filter(([pid]) => isAlive(pid));
    for (let tries = 0; left().length > 0 && tries < 100; tries++) await sleep(50);
    expect(left()).to.deep.equal([]);
  }

  it("refuses an unknown option with its usage", async () => {
    start("--twice");
    expect(await exited).to.equal(1);
    expect(said).to.include("Unknown option '--twice'").and.to.include("Usage: npm start");
  });

  it("refuses what is no port", async () => {
    start("--evm-port", "http");
    expect(await exited).to.equal(1);
    expect(said).to.equal('assay: --evm-port takes a port number from 1 to 65535, not "http".\n');
  });

  it("refuses a set that can't be", async () => {
    start("--operators", "2", "--threshold", "3");
    expect(await exited).to.equal(1);
    expect(said).to.equal('assay: --threshold takes a number of signatures from 1 to 2, not "3".\n');
  });

  describe("when a port is in use", () => {
    let server: Server;
    beforeEach(async () => {
      server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
    });
    afterEach(() => server.close());

    it("says which in one sentence, fails, and leaves nothing running", async () => {
      const { port } = server.address() as AddressInfo;
      start("--genlayer-port", String(port), "--once");
      await untilSaid("EVM chain is up");
      const family = descendantsOf(child.pid ?? 0);
      expect(await exited).to.equal(1);
      expect(said).to.match(new RegExp(`^assay: .*\\b${port}\\b.*$`, "m"));
      await expectNoOrphans(family);
    });

    it("says so at once when it is an operator's", async () => {
      const { port } = server.address() as AddressInfo;
      start("--operator-port", String(port), "--once");
      expect(await exited).to.equal(1);
      expect(said)
        .to.match(new RegExp(`^assay: .*\\b${port}\\b`))
        .and.to.not.include("is up");
    });
  });

  it("a part that is killed ends the whole with one sentence that names it, and leaves nothing running", async () => {
    start();
    for (const part of ["operator 1", "operator 2", "operator 3", "graph-node"])
      await untilSaid(`${part} is up`);
    const family = descendantsOf(child.pid ?? 0);
    const [anvil] = [...family].find(([, command]) => /\/anvil --host/.test(command)) ?? [];
    process.kill(anvil ?? 0, "SIGKILL");
    expect(await exited).to.equal(1);
    expect(said).to.match(/^assay: anvil, the EVM node, ended unexpectedly \(signal SIGKILL\)\.$/m);
    await expectNoOrphans(family);
  });

  it("SIGTERM in the middle of starting ends everything", async () => {
    start();
    await untilSaid("EVM chain is up");
    const family = descendantsOf(child.pid ?? 0);
    child.kill("SIGTERM");
    expect(await exited).to.equal(1);
    await expectNoOrphans(family);
  });

  it("SIGKILL, which nobody can handle, leaves nothing running either", async () => {
    start();
    await untilSaid("operator 3 is up");
    const family = descendantsOf(child.pid ?? 0);
    child.kill("SIGKILL");
    await exited;
    await expectNoOrphans(family);
  });
});
