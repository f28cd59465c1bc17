import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { rpc } from "./client.ts";

const BIN = fileURLToPath(new URL("../../../localnet/src/bin/genlayer.ts", import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe("the genlayer command", function () {
  this.timeout(40_000);

  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  /** Runs the command; `onOutput` sees all that it has written so far. */
  async function run(
    args: readonly string[],
    onOutput?: (out: string, child: ChildProcess) => void,
  ): Promise<Ended> {
    const child = spawn(process.execPath, [BIN, ...args]);
    children.push(child);
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      onOutput?.(out, child);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    const [code] = (await once(child, "close")) as [number | null];
    return { code, out, err };
  }

  it("serves a network until it is interrupted, and then ends cleanly", async () => {
    let info: unknown;
    const ended = await run(["--port", "0", "--validators", "3", "--kind", "testnet"], (out, child) => {
      const [rpcUrl] = /http:\/\/\S+/.exec(out) ?? [];
      if (rpcUrl === undefined || info !== undefined) return;
      info = null;
      void rpc({ rpcUrl }, "localnet_info").then((answer) => {
        info = answer;
        child.kill("SIGINT");
      });
    });

    expect(ended.code).to.equal(0);
    expect(ended.err).to.equal("");
    expect(ended.out).to.contain("rules (no language model)");
    expect(info).to.include({ simulation: true, kind: "testnet", validatorsPerTransaction: 3 });
  });

  it("says in one line that its port is in use, and ends with 1", async () => {
    const server: Server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;

    const ended = await run(["--port", String(port)]);
    server.close();

    expect(ended.code).to.equal(1);
    expect(ended.err.trim().split("\n")).to.deep.equal([
      `Port ${port} on 127.0.0.1 is in use, so the GenLayer network cannot listen on it. ` +
        "Stop what listens there, or choose another port (0 picks a free one).",
    ]);
  });

  it("explains its options, and what is wrong with them", async () => {
    expect((await run(["--help"])).out).to.contain("--finality-window SECONDS");
    for (const [args, message] of [
      [["--model", "magic"], "--model is magic. Give rules, or openai:NAME@BASE_URL."],
      [["--kind", "mainnet"], "--kind is mainnet. Give studio or testnet."],
      [["--validators", "x"], "validators is NaN. Give an integer from 1 to 100."],
      [["--nonsense"], "Unknown option '--nonsense'"],
    ] as const) {
      const ended = await run(args);
      expect(ended.code, ended.err).to.equal(1);
      expect(ended.err).to.contain(message);
    }
  });
});
