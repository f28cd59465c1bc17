import { expect } from "chai";
import type { Wallet } from "ethers";
import type { TransactionHash } from "genlayer-js/types";

import type { ChainKind } from "../../../localnet/src/genlayer/kinds.ts";
import { type GenLayerNetwork, startGenLayerNetwork } from "../../../localnet/src/genlayer/network.ts";
import { type Client, connect, deploy, FINALITY_WINDOW, finalizes, reaches, rpc, shown } from "./client.ts";
import { addTransaction, consensusCall, freshWallet, sign } from "./raw.ts";
import { createScriptedExecutor } from "./scripted-executor.ts";

for (const kind of ["studio", "testnet"] as const satisfies readonly ChainKind[]) {
  describe(`appeals, finality and cancellation of the ${kind} kind`, () => {
    let network: GenLayerNetwork;
    let client: Client;
    beforeEach(async () => {
      network = await startGenLayerNetwork({
        kind,
        executor: createScriptedExecutor(),
        finalityWindowSeconds: FINALITY_WINDOW,
      });
      client = connect(network);
    });
    afterEach(() => network.stop());

    const write = async (
      address: `0x${string}`,
      functionName: string,
      args: string[],
    ): Promise<TransactionHash> =>
      (await client.writeContract({ address, functionName, args, value: 0n })) as TransactionHash;
    const read = (address: `0x${string}`): Promise<unknown> =>
      client.readContract({ address, functionName: "get", args: [] });

    it("an appeal that finds agreement leaves the transaction accepted", async () => {
      const address = await deploy(network, client, "old");
      const hash = await write(address, "set", ["new"]);
      await reaches(client, kind, hash, "ACCEPTED");

      await client.appealTransaction({ txId: hash });
      const accepted = await reaches(client, kind, hash, "ACCEPTED");

      expect(accepted.votes).to.have.length(7);
      expect((await finalizes(network, client, hash)).result).to.match(/AGREE$/);
      expect(await read(address)).to.equal("new");
    });

    it("an appeal that is won overturns what was accepted, and runs it and what followed again", async () => {
      const address = await deploy(network, client, "");
      const first = await write(address, "append", ["a"]);
      const second = await write(address, "append", ["b"]);
      await reaches(client, kind, second, "ACCEPTED");
      // The committee of the appeal disagrees, and so do the validators of the second proposal.
      await rpc(network, "localnet_disagreeNext", { contract: address });
      await rpc(network, "localnet_disagreeNext", { contract: address, transactions: 2 });

      await client.appealTransaction({ txId: first });
      await reaches(client, kind, first, "UNDETERMINED");
      await reaches(client, kind, second, "ACCEPTED");

      expect(await read(address)).to.equal("b");
      expect((await finalizes(network, client, first)).result).to.equal("MAJORITY_DISAGREE");
      expect((await finalizes(network, client, second)).execution).to.equal("FINISHED_WITH_RETURN");
    });

    it("an appeal of a deployment that is won takes the contract away until it is accepted again", async () => {
      const hash = (await client.deployContract({ code: "class", args: ["x"] })) as TransactionHash;
      await reaches(client, kind, hash, "ACCEPTED");
      await rpc(network, "localnet_disagreeNext", { transactions: 2 });

      await client.appealTransaction({ txId: hash });
      await reaches(client, kind, hash, "UNDETERMINED");

      const info = (await rpc(network, "localnet_info")) as { contracts: string[] };
      expect(info.contracts).to.deep.equal([]);
    });

    it("an appeal gives an UNDETERMINED transaction another run with more validators", async () => {
      const address = await deploy(network, client, "old");
      await rpc(network, "localnet_disagreeNext", { contract: address });
      const hash = await write(address, "set", ["new"]);
      await reaches(client, kind, hash, "UNDETERMINED");

      await client.appealTransaction({ txId: hash });
      const accepted = await reaches(client, kind, hash, "ACCEPTED");

      expect(accepted.votes).to.have.length(12);
      expect(await read(address)).to.equal("new");
    });

    it("an appeal gives timeouts another run too", async () => {
      const address = await deploy(network, client, "old");
      for (const [fault, status] of [
        ["localnet_leaderTimeoutNext", "LEADER_TIMEOUT"],
        ["localnet_validatorsTimeoutNext", "VALIDATORS_TIMEOUT"],
      ] as const) {
        await rpc(network, fault, { contract: address });
        const hash = await write(address, "set", [status]);
        await reaches(client, kind, hash, status);

        await client.appealTransaction({ txId: hash });
        await reaches(client, kind, hash, "ACCEPTED");
        expect(await read(address)).to.equal(status);
        await finalizes(network, client, hash);
      }
    });

    it("an appeal of what is final reverts", async () => {
      const address = await deploy(network, client);
      const hash = await write(address, "set", ["new"]);
      await finalizes(network, client, hash);

      await client.appealTransaction({ txId: hash }).then(
        () => expect.fail("the appeal reverts"),
        (error: unknown) => expect((error as Error).message).to.contain("reverted"),
      );
      expect((await shown(client, kind, hash)).status).to.equal("FINALIZED");
    });

    it("manual finality shows READY_TO_FINALIZE until somebody finalizes, in order", async () => {
      const address = await deploy(network, client, "");
      await rpc(network, "localnet_setManualFinality", true);
      const first = await write(address, "append", ["a"]);
      const second = await write(address, "append", ["b"]);
      await reaches(client, kind, second, "ACCEPTED");
      await rpc(network, "localnet_advanceTime", FINALITY_WINDOW);
      await reaches(client, kind, second, "READY_TO_FINALIZE");

      const tooEarly = await client.finalizeTransaction({ txId: second }).then(
        () => "finalized",
        () => "reverted",
      );
      await client.finalizeTransaction({ txId: first });
      await client.finalizeTransaction({ txId: second });

      expect(tooEarly).to.equal("reverted");
      expect((await shown(client, kind, first)).status).to.equal("FINALIZED");
      expect((await shown(client, kind, second)).status).to.equal("FINALIZED");
    });
  });
}

describe("calls of ConsensusMain on the testnet kind", () => {
  let network: GenLayerNetwork;
  beforeEach(async () => {
    network = await startGenLayerNetwork({
      kind: "testnet",
      executor: createScriptedExecutor(),
      phaseSeconds: 60,
      finalityWindowSeconds: FINALITY_WINDOW,
    });
  });
  afterEach(() => network.stop());

  /** Sends a call and says whether it reverted. */
  const call = async (wallet: Wallet, data: string, nonce: number): Promise<"done" | "reverted"> => {
    const hash = await rpc(network, "eth_sendRawTransaction", await sign(network, wallet, data, { nonce }));
    const { status } = (await rpc(network, "eth_getTransactionReceipt", hash)) as { status: string };
    return status === "0x1" ? "done" : "reverted";
  };
  const add = async (wallet: Wallet, nonce: number): Promise<string> => {
    const data = addTransaction(wallet, { validUntil: Math.floor(Date.now() / 1000) + 3600 });
    const hash = await rpc(network, "eth_sendRawTransaction", await sign(network, wallet, data, { nonce }));
    const receipt = (await rpc(network, "eth_getTransactionReceipt", hash)) as {
      logs: { topics: string[] }[];
    };
    return receipt.logs[0]!.topics[1]!;
  };
  const statusOf = async (txId: string): Promise<string> =>
    ((await rpc(network, "gen_getTransactionStatus", { txId })) as { status: string }).status;

  it("cancel what is pending, for its sender alone", async () => {
    const [sender, stranger] = [freshWallet(), freshWallet()];
    const running = await add(sender, 0);
    const queued = await add(sender, 1);

    expect(await call(stranger, consensusCall("cancelTransaction", queued), 0)).to.equal("reverted");
    expect(await call(sender, consensusCall("cancelTransaction", running), 2)).to.equal("reverted");
    expect(await call(sender, consensusCall("cancelTransaction", queued), 3)).to.equal("done");
    expect(await statusOf(queued)).to.equal("CANCELED");
  });

  it("finalize several at once, and nothing that is unknown", async () => {
    const wallet = freshWallet();
    await rpc(network, "localnet_setManualFinality", true);
    await rpc(network, "localnet_setPhaseTime", 0);
    const ids = [await add(wallet, 0), await add(wallet, 1)];
    for (const id of ids) {
      while ((await statusOf(id)) !== "ACCEPTED") await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await rpc(network, "localnet_advanceTime", FINALITY_WINDOW);

    expect(await call(wallet, consensusCall("finalizeTransaction", `0x${"00".repeat(32)}`), 2)).to.equal(
      "reverted",
    );
    expect(await call(wallet, consensusCall("finalizeIdlenessTxs", ids), 3)).to.equal("done");
    expect(await Promise.all(ids.map(statusOf))).to.deep.equal(["FINALIZED", "FINALIZED"]);
  });
});

describe("cancellation on the Studio kind", () => {
  let network: GenLayerNetwork;
  before(async () => {
    network = await startGenLayerNetwork({ executor: createScriptedExecutor(), phaseSeconds: 0.4 });
  });
  after(() => network.stop());

  it("ends a pending transaction for its sender alone", async () => {
    const [client, stranger] = [connect(network), connect(network)];
    const address = "0x00000000000000000000000000000000000000aa";
    const write = async (): Promise<TransactionHash> =>
      (await client.writeContract({
        address,
        functionName: "set",
        args: ["x"],
        value: 0n,
      })) as TransactionHash;
    const [first, second] = [await write(), await write()];

    const refused = await stranger.cancelTransaction({ hash: second }).catch((error: unknown) => error);
    await client.cancelTransaction({ hash: second });
    const tooLate = await client.cancelTransaction({ hash: first }).catch((error: unknown) => error);

    expect(refused).to.have.property("code", -32602);
    expect(tooLate).to.have.property("code", -32000);
    expect((await shown(client, "studio", second)).status).to.equal("CANCELED");
  });
});
