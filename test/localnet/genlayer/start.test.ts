import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect } from "chai";
import { createAccount } from "genlayer-js";
import type { TransactionHash } from "genlayer-js/types";

import { LocalnetError } from "../../../localnet/src/errors.ts";
import { deployContract } from "../../../localnet/src/genlayer/deploy.ts";
import {
  type GenLayerNetwork,
  type GenLayerNetworkParameters,
  startGenLayerNetwork,
} from "../../../localnet/src/genlayer/network.ts";
import { connect, deploy, FINALITY_WINDOW, finalizes, reaches, rpc, rpcRaw, SOURCE } from "./client.ts";
import { createScriptedExecutor } from "./scripted-executor.ts";

const started: GenLayerNetwork[] = [];
const start = async (parameters: GenLayerNetworkParameters = {}): Promise<GenLayerNetwork> => {
  const network = await startGenLayerNetwork({
    executor: createScriptedExecutor(),
    finalityWindowSeconds: FINALITY_WINDOW,
    ...parameters,
  });
  started.push(network);
  return network;
};
const failure = async (parameters: GenLayerNetworkParameters): Promise<unknown> =>
  await start(parameters).then(
    () => "started",
    (error: unknown) => error,
  );

afterEach(async () => {
  await Promise.all(started.splice(0).map((network) => network.stop()));
});

describe("starting a GenLayer network", () => {
  it("refuses a port that is in use, in one sentence", async () => {
    const { rpcUrl } = await start();
    const port = Number(new URL(rpcUrl).port);

    const error = await failure({ port });

    expect(error)
      .to.be.instanceOf(LocalnetError)
      .and.include({
        code: "PORT_IN_USE",
        message: `Port ${port} on 127.0.0.1 is in use, so the GenLayer network cannot listen on it.`,
      });
  });

  it("refuses options out of bounds", async () => {
    for (const bad of [
      { validators: 0 },
      { validators: 2.5 },
      { instances: 0 },
      { port: 70_000 },
      { finalityWindowSeconds: -1 },
      { executionTimeoutSeconds: Number.NaN },
    ]) {
      expect(await failure(bad))
        .to.be.instanceOf(LocalnetError)
        .and.have.property("code", "BAD_OPTION");
    }
  });

  it("refuses a data directory that is a file", async () => {
    const directory = await mkdtemp(join(tmpdir(), "assay-"));
    const file = join(directory, "file");
    await writeFile(file, "");

    const error = await failure({ dataDir: file });
    await rm(directory, { recursive: true });

    expect(error).to.be.instanceOf(LocalnetError).and.have.property("code", "ENVIRONMENT");
  });

  it("stops once and for all, twice if asked", async () => {
    const network = await start();

    await network.stop();
    await network.stop();

    expect(await rpcRaw(network, "eth_chainId").catch(() => "closed")).to.equal("closed");
  });

  it("gives as many votes as there are validators, however many a sender asks for", async () => {
    const network = await start({ validators: 3 });
    const client = connect(network);
    const address = await deploy(network, client);

    const hash = (await client.writeContract({
      address,
      functionName: "set",
      args: ["x"],
      value: 0n,
    })) as TransactionHash;

    expect((await finalizes(network, client, hash)).votes).to.have.length(3);
  });
});

describe("a GenLayer network with a data directory", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "assay-"));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it("still has contracts, storage, transactions, nonces and blocks after a restart", async () => {
    const before = await start({ dataDir });
    const account = createAccount();
    const client = connect(before, account);
    const address = await deploy(before, client, "kept");
    const hash = (await client.writeContract({
      address,
      functionName: "set",
      args: ["new"],
      value: 0n,
    })) as TransactionHash;
    await finalizes(before, client, hash);
    const block = await rpc(before, "eth_blockNumber");
    await before.stop();

    const after = await start({ dataDir });
    const again = connect(after, account);

    expect(await again.readContract({ address, functionName: "get", args: [] })).to.equal("new");
    expect(await again.getContractCode(address)).to.equal(SOURCE);
    expect((await finalizes(after, again, hash)).result).to.equal("MAJORITY_AGREE");
    expect(await again.getCurrentNonce({ address: account.address })).to.equal("0x2");
    expect(await rpc(after, "eth_blockNumber")).to.equal(block);
  });

  it("takes up a transaction where the stop interrupted it", async () => {
    const before = await start({ dataDir, phaseSeconds: 30 });
    const client = connect(before);
    const hash = (await client.deployContract({ code: SOURCE, args: ["x"] })) as TransactionHash;
    await reaches(client, "studio", hash, "PENDING");
    await before.stop();

    const after = await start({ dataDir });

    expect((await finalizes(after, connect(after), hash)).execution).to.equal("FINISHED_WITH_RETURN");
  });

  it("keeps no storage that nothing can go back to", async () => {
    const network = await start({ dataDir });
    const client = connect(network);
    const address = await deploy(network, client, "0");
    for (const value of ["1", "2", "3"]) {
      const call = { address, functionName: "set", args: [value], value: 0n };
      await finalizes(network, client, (await client.writeContract(call)) as TransactionHash);
    }
    await network.stop();

    const database = new DatabaseSync(join(dataDir, "genlayer.sqlite"));
    const { states } =
      database.prepare("SELECT count(*) AS states FROM records WHERE kind = 'state'").get() ?? {};
    database.close();
    expect(states).to.equal(1);
  });

  it("forgets everything for good when it is reset", async () => {
    const before = await start({ dataDir });
    const address = await deploy(before, connect(before));
    await rpc(before, "localnet_reset");
    await before.stop();

    const after = await start({ dataDir });

    expect((await rpcRaw(after, "gen_getContractCode", address)).error?.code).to.equal(-32001);
    expect(await rpc(after, "eth_blockNumber")).to.equal("0x0");
  });
});

describe("the JSON-RPC server", () => {
  const post = async (network: GenLayerNetwork, body: string): Promise<unknown> =>
    await (await fetch(network.rpcUrl, { method: "POST", body })).json();

  it("answers batches, each call for itself", async () => {
    const network = await start();
    const calls = [
      { jsonrpc: "2.0", id: 1, method: "eth_chainId" },
      { jsonrpc: "2.0", id: 1, method: "nothing" },
    ];

    expect(await post(network, JSON.stringify(calls))).to.deep.equal([
      { jsonrpc: "2.0", id: 1, result: "0xeec7" },
      { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found: nothing" } },
    ]);
  });

  it("says what is wrong with a request that is none", async () => {
    const network = await start();

    expect(await post(network, "<html>")).to.have.nested.property("error.code", -32700);
    expect(await post(network, "7")).to.have.nested.property("error.code", -32600);
    expect(await post(network, '{"method":"toString"}')).to.have.nested.property("error.code", -32601);
    expect((await fetch(network.rpcUrl)).status).to.equal(405);
  });

  it("refuses a request of more than 16 MiB", async () => {
    const network = await start();

    const response = await fetch(network.rpcUrl, { method: "POST", body: " ".repeat(17 * 1024 * 1024) });

    expect(response.status).to.equal(413);
  });
});

describe("deployContract", () => {
  for (const kind of ["studio", "testnet"] as const) {
    it(`deploys to the ${kind} kind and waits until it is final`, async () => {
      const network = await start({ kind, finalityWindowSeconds: 0.1 });

      const { address, txId } = await deployContract(network, { code: SOURCE, args: ["é"] });

      expect(await rpc(network, "gen_getTransactionStatus", txId)).to.have.property("status", "FINALIZED");
      const value = await connect(network).readContract({ address, functionName: "get", args: [] });
      expect(value).to.equal("é");
    });
  }

  it("fails when the deployment is final without a contract", async () => {
    const network = await start({ finalityWindowSeconds: 0 });
    await rpc(network, "localnet_disagreeNext");

    const error = await deployContract(network, { code: SOURCE }).catch((cause: unknown) => cause);

    expect(error).to.be.instanceOf(LocalnetError).and.have.property("code", "BAD_STATE");
  });

  it("fails when it takes longer than allowed", async () => {
    const network = await start({ finalityWindowSeconds: 60 });

    const error = await deployContract(network, { code: SOURCE, timeoutSeconds: 0.2 }).catch(
      (cause: unknown) => cause,
    );

    expect(error).to.be.instanceOf(LocalnetError).and.have.property("code", "START_TIMEOUT");
  });
});
