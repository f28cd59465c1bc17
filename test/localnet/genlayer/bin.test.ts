import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { CHAIN_IDENTITIES } from "../../../localnet/src/genlayer/kinds.ts";
import { rpc } from "./client.ts";
import { addTransaction, deployPayload, freshWallet, sign, ZeroAddress } from "./raw.ts";

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
      const rpcUrl = urlIn(out);
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

  it("finishes after a restart what it was killed in the middle of", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "assay-"));
    const args = ["--port", "0", "--finality-window", "0", "--data-dir", dataDir];
    let hash: unknown;
    const killed = await run(args, (out, child) => {
      const rpcUrl = urlIn(out);
      if (rpcUrl === undefined || hash !== undefined) return;
      hash = null;
      void sendDeployment(rpcUrl).then((sent) => {
        hash = sent;
        child.kill("SIGKILL");
      });
    });

    let status = "";
    await run(args, (out, child) => {
      const rpcUrl = urlIn(out);
      if (rpcUrl === undefined || status !== "") return;
      status = "unknown";
      void finalStatus(rpcUrl, hash).then((final) => {
        status = final;
        child.kill("SIGTERM");
      });
    });
    await rm(dataDir, { recursive: true });

    expect(killed.code).to.equal(null);
    expect(status).to.equal("FINALIZED");
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

function urlIn(output: string): string | undefined {
  return /http:\/\/\S+/.exec(output)?.[0];
}

async function sendDeployment(rpcUrl: string): Promise<unknown> {
  const source = await readFile(
    new URL("../../../contracts-genlayer/agreement_verifier.py", import.meta.url),
    "utf8",
  );
  const wallet = freshWallet();
  const data = addTransaction(wallet, { recipient: ZeroAddress, payload: deployPayload(source) });
  return await rpc({ rpcUrl }, "eth_sendRawTransaction", await sign(CHAIN_IDENTITIES.studio, wallet, data));
}

async function finalStatus(rpcUrl: string, hash: unknown): Promise<string> {
  for (let polls = 0; polls < 300; polls += 1) {
    const { status } = (await rpc({ rpcUrl }, "gen_getTransactionStatus", hash)) as { status: string };
    if (status === "FINALIZED") return status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return "never final";
}
