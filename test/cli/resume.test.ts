import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { Contract } from "ethers";
import { fiatTokenAbi, type Hex } from "@assay/protocol";
import { startMarket, type Market } from "./support/market.ts";

const ASSAY = join(import.meta.dirname, "../../cli/src/bin/assay.ts");

/** A node in front of the market's own that keeps what it likes of the signed transactions it is given. */
class KeepingNode {
  /** Signed transactions that were handed in. */
  readonly given: string[] = [];
  keep: "before" | "after" | "nothing" = "nothing";
  #server: Server | null = null;

  async start(rpcUrl: string): Promise<string> {
    const server = createServer((request, response) => {
      void text(request).then(async (body) => {
        const { method, params } = JSON.parse(body) as { method: string; params: string[] };
        const isSend = method === "eth_sendRawTransaction";
        if (isSend) this.given.push(params[0]!);
        // What is kept is never answered: the client waits until it is killed.
        if (isSend && this.keep === "before") return;
        const answer = await fetch(rpcUrl, {
          method: "POST",
          body,
          headers: { "content-type": "application/json" },
        });
        if (isSend && this.keep === "after") return;
        response
          .writeHead(200, { "content-type": "application/json", connection: "close" })
          .end(await answer.text());
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

describe("a command that is killed in the middle", function () {
  this.timeout(60_000);
  let market: Market;
  let node: KeepingNode;
  let nodeUrl: string;
  before(async () => {
    market = await startMarket();
    node = new KeepingNode();
    nodeUrl = await node.start(market.evm.rpcUrl);
  });
  after(async () => {
    await node.stop();
    await market.end();
  });

  const balance = async (): Promise<bigint> =>
    (await new Contract(market.token.address, fiatTokenAbi, market.provider).getFunction("balanceOf")(
      market.account(1).address,
    )) as bigint;

  const journal = async (): Promise<string[]> => {
    const folder = join(market.env["ASSAY_HOME"]!, "journal");
    const found = await readdir(folder, { recursive: true }).catch(() => []);
    return found.filter((name) => name.endsWith(".json"));
  };

  /** Runs a command in a process of its own until the node was given a transaction, then kills it. */
  async function killWhileSending(args: string[]): Promise<Hex> {
    const before = node.given.length;
    const child = spawn(
      process.execPath,
      [ASSAY, ...args, "--network", market.profilePath, "--rpc-url", nodeUrl],
      {
        env: { PATH: process.env["PATH"], ...market.env },
        stdio: "ignore",
      },
    );
    const ended = once(child, "close");
    for (let tries = 0; node.given.length === before && tries < 400; tries++) await sleep(25);
    expect(node.given.length).to.equal(before + 1);
    child.kill("SIGKILL");
    await ended;
    const [entry] = await journal();
    const path = join(market.env["ASSAY_HOME"]!, "journal", entry!);
    return (JSON.parse(await readFile(path, "utf8")) as { transactionHash: Hex }).transactionHash;
  }

  for (const keep of ["before", "after"] as const)
    it(`goes on with the same transaction when it died ${keep} the node had it, and pays once`, async () => {
      const { file, agreementId } = await market.drawUp();
      const rich = await balance();
      const nonce = await market.account(1).getNonce();
      node.keep = keep;
      const killed = await killWhileSending(["agreement", "fund", file, "--wallet", "buyer", "--yes"]);
      node.keep = "nothing";
      const dry = await market.assay("agreement", "fund", file, "--wallet", "buyer", "--dry-run", "--json");
      expect(JSON.parse(dry.out)).to.deep.equal({ action: "fund", dryRun: true, pending: killed });
      const { code, out, err } = await market.assay(
        ...["agreement", "fund", file, "--wallet", "buyer", "--yes", "--json"],
      );
      expect(code, err).to.equal(0);
      expect(JSON.parse(out)).to.include({ agreementId, transactionHash: killed, resumed: true });
      expect(rich - (await balance())).to.equal(25_000_000n);
      expect(await market.account(1).getNonce()).to.equal(nonce + 1);
      expect(await journal()).to.deep.equal([]);
    });

  it("starts afresh when another transaction of the account took its place", async () => {
    const { file, agreementId } = await market.drawUp();
    node.keep = "before";
    const killed = await killWhileSending(["agreement", "fund", file, "--wallet", "buyer", "--yes"]);
    node.keep = "nothing";
    const buyer = market.account(1);
    await (await buyer.sendTransaction({ to: buyer.address, value: 0n })).wait();
    const { code, out, err } = await market.assay(
      ...["agreement", "fund", file, "--wallet", "buyer", "--yes", "--json"],
    );
    expect(code, err).to.equal(0);
    const sent = JSON.parse(out) as { agreementId: string; transactionHash: string; resumed: boolean };
    expect(sent).to.include({ agreementId, resumed: false });
    expect(sent.transactionHash).not.to.equal(killed);
    expect(err).to.include(`${killed} can't be included any more`);
  });

  it("keeps the transaction and ends with 5 when no block takes it in time", async () => {
    const { file } = await market.drawUp();
    await market.provider.send("evm_setAutomine", [false]);
    const first = await market.assay(
      ...["agreement", "fund", file, "--wallet", "buyer", "--yes", "--wait", "1s", "--json"],
    );
    expect(first.code).to.equal(5);
    const { error } = JSON.parse(first.out) as {
      error: { name: string; transactionHash: string; hint: string };
    };
    expect(error.name).to.equal("PendingError");
    expect(error.hint).to.include("Run the same command again");
    await market.provider.send("evm_setAutomine", [true]);
    await market.provider.send("evm_mine", []);
    const second = await market.assay("agreement", "fund", file, "--wallet", "buyer", "--yes", "--json");
    expect(JSON.parse(second.out)).to.include({ transactionHash: error.transactionHash, resumed: true });
  });

  it("two runs at once make one transaction", async () => {
    const { file } = await market.drawUp();
    const rich = await balance();
    const args = ["agreement", "fund", file, "--wallet", "buyer", "--yes", "--json"];
    const runs = await Promise.all([market.assay(...args), market.assay(...args)]);
    expect(runs.map(({ code }) => code)).to.deep.equal([0, 0]);
    expect(rich - (await balance())).to.equal(25_000_000n);
  });

  it("refuses to guess when its journal was damaged", async () => {
    const { file } = await market.drawUp();
    node.keep = "before";
    await killWhileSending(["agreement", "fund", file, "--wallet", "buyer", "--yes"]);
    node.keep = "nothing";
    const [entry] = await journal();
    const path = join(market.env["ASSAY_HOME"]!, "journal", entry!);
    await writeFile(path, (await readFile(path, "utf8")).slice(0, 100));
    const { code, err } = await market.assay("agreement", "fund", file, "--wallet", "buyer", "--yes");
    expect(code).to.equal(3);
    expect(err).to.include("can't be used").and.include("delete the file");
  });
});
