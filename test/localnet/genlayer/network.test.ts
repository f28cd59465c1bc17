import { expect } from "chai";
import { chains } from "genlayer-js";
import type { TransactionHash } from "genlayer-js/types";

import { type ChainKind, CHAIN_IDENTITIES } from "../../../localnet/src/genlayer/kinds.ts";
import { type GenLayerNetwork, startGenLayerNetwork } from "../../../localnet/src/genlayer/network.ts";
import {
  type Client,
  connect,
  contractOf,
  deploy,
  FINALITY_WINDOW,
  finalizes,
  reaches,
  rpc,
  shown,
  SOURCE,
} from "./client.ts";
import { createScriptedExecutor, SCRIPTED_SCHEMA } from "./scripted-executor.ts";

describe("chain identities", () => {
  it("are those of genlayer-js's chain objects", () => {
    const { localnet, testnetBradbury } = chains;
    for (const [kind, chain] of [
      ["studio", localnet],
      ["testnet", testnetBradbury],
    ] as const) {
      const identity = CHAIN_IDENTITIES[kind];
      expect(identity.chainId).to.equal(chain.id);
      expect(identity.consensusMain).to.equal(chain.consensusMainContract?.address);
      expect(identity.consensusData).to.equal(chain.consensusDataContract?.address);
    }
    expect(CHAIN_IDENTITIES.testnet.appealContracts).to.deep.equal({
      feeManager: testnetBradbury.feeManagerContract?.address,
      rounds: testnetBradbury.roundsStorageContract?.address,
      appeals: testnetBradbury.appealsContract?.address,
    });
  });
});

for (const kind of ["studio", "testnet"] as const satisfies readonly ChainKind[]) {
  describe(`a GenLayer network of the ${kind} kind, through genlayer-js`, () => {
    let network: GenLayerNetwork;
    let client: Client;

    before(async () => {
      network = await startGenLayerNetwork({
        kind,
        executor: createScriptedExecutor(),
        finalityWindowSeconds: FINALITY_WINDOW,
      });
      client = connect(network);
    });
    after(() => network.stop());

    const write = async (
      address: `0x${string}`,
      functionName: string,
      args: string[] = [],
      more: { leaderOnly?: boolean } = {},
    ): Promise<TransactionHash> =>
      (await client.writeContract({ address, functionName, args, value: 0n, ...more })) as TransactionHash;
    const read = (address: `0x${string}`): Promise<unknown> =>
      client.readContract({ address, functionName: "get", args: [] });
    const readFinal = async (address: `0x${string}`): Promise<string> => {
      // get(), not leader-only, with both ways of asking for finalized storage.
      const data = "0xce8c0e066d6574686f641c67657400";
      const call = { type: "read", to: address, from: address, data, status: "finalized" };
      const answer = await rpc(network, "gen_call", { ...call, transaction_hash_variant: "latest-final" });
      const text = typeof answer === "string" ? answer : (answer as { data: string }).data;
      return Buffer.from(text, "hex").subarray(1).toString();
    };

    it("deploys a contract and gives back its code and schema", async () => {
      const address = await deploy(network, client);

      expect(await client.getContractCode(address)).to.equal(SOURCE);
      expect(await client.getContractSchema(address)).to.deep.equal(SCRIPTED_SCHEMA);
      expect(await client.getContractSchemaForCode(SOURCE)).to.deep.equal(SCRIPTED_SCHEMA);
    });

    it("accepts a write at once and finalizes it after the window", async () => {
      const address = await deploy(network, client, "old");

      const hash = await write(address, "set", ["new"]);
      const accepted = await reaches(client, kind, hash, "ACCEPTED");
      const whileAccepted = { accepted: await read(address), final: await readFinal(address) };
      const finalized = await finalizes(network, client, hash);

      expect(accepted.execution).to.equal("FINISHED_WITH_RETURN");
      expect(whileAccepted).to.deep.equal({ accepted: "new", final: "old" });
      expect(await readFinal(address)).to.equal("new");
      expect(finalized.result).to.equal(kind === "studio" ? "MAJORITY_AGREE" : "AGREE");
      expect(finalized.votes).to.deep.equal(["AGREE", "AGREE", "AGREE", "AGREE", "AGREE"]);
    });

    it("gives only the code of a deployment that is not finalized yet: storage reads as zeros", async () => {
      const hash = (await client.deployContract({ code: SOURCE, args: ["first"] })) as TransactionHash;
      await reaches(client, kind, hash, "ACCEPTED");
      const address = await contractOf(network, hash);

      expect(await read(address)).to.equal("first");
      expect(await readFinal(address)).to.equal("");
      await finalizes(network, client, hash);
      expect(await readFinal(address)).to.equal("first");
    });

    it("reads a latest-final of genlayer-js as finalized on the Studio kind only", async () => {
      const address = await deploy(network, client, "old");
      await reaches(client, kind, await write(address, "set", ["new"]), "ACCEPTED");

      const variant = "latest-final" as never;
      const value = await client.readContract({
        address,
        functionName: "get",
        args: [],
        transactionHashVariant: variant,
      });

      expect(value).to.equal(kind === "studio" ? "old" : "new");
    });

    it("finalizes an error that all validators agree on, and keeps nothing of it", async () => {
      const address = await deploy(network, client, "kept");

      const hash = await write(address, "fail", ["[EXPECTED] no"]);
      const finalized = await finalizes(network, client, hash);

      expect(finalized.execution).to.equal("FINISHED_WITH_ERROR");
      expect(finalized.result).to.equal(kind === "studio" ? "MAJORITY_AGREE" : "AGREE");
      expect(await read(address)).to.equal("kept");
    });

    it("goes through UNDETERMINED to FINALIZED with nothing stored when validators disagree", async () => {
      const address = await deploy(network, client, "kept");
      await rpc(network, "localnet_disagreeNext", { contract: address });

      const hash = await write(address, "set", ["never"]);
      const undetermined = await reaches(client, kind, hash, "UNDETERMINED");
      const finalized = await finalizes(network, client, hash);

      expect(undetermined.result).to.equal("MAJORITY_DISAGREE");
      expect(undetermined.votes).to.deep.equal(["AGREE", "DISAGREE", "DISAGREE", "DISAGREE", "DISAGREE"]);
      // The execution result is the leader's, and looks like success.
      expect(finalized.execution).to.equal("FINISHED_WITH_RETURN");
      expect(finalized.result).to.equal("MAJORITY_DISAGREE");
      expect([await read(address), await readFinal(address)]).to.deep.equal(["kept", "kept"]);
    });

    it("lets two of four validators disagree without harm", async () => {
      const address = await deploy(network, client);
      await rpc(network, "localnet_disagreeNext", { contract: address, validators: 2 });

      const finalized = await finalizes(network, client, await write(address, "set", ["new"]));

      expect(finalized.result).to.equal("MAJORITY_AGREE");
      expect(await read(address)).to.equal("new");
    });

    it("goes through LEADER_TIMEOUT to FINALIZED with nothing stored", async () => {
      const address = await deploy(network, client, "kept");
      await rpc(network, "localnet_leaderTimeoutNext");

      const hash = await write(address, "set", ["never"]);
      const timedOut = await reaches(client, kind, hash, "LEADER_TIMEOUT");
      await finalizes(network, client, hash);

      expect(timedOut.execution).to.equal("FINISHED_WITH_ERROR");
      expect(await read(address)).to.equal("kept");
    });

    it("goes through VALIDATORS_TIMEOUT to FINALIZED with nothing stored", async () => {
      const address = await deploy(network, client, "kept");
      await rpc(network, "localnet_validatorsTimeoutNext");

      const hash = await write(address, "set", ["never"]);
      const timedOut = await reaches(client, kind, hash, "VALIDATORS_TIMEOUT");
      await finalizes(network, client, hash);

      expect(timedOut.result).to.equal("TIMEOUT");
      expect(await read(address)).to.equal("kept");
    });

    it("takes a run that its own node cannot finish for a leader timeout, never for an outcome", async () => {
      const address = await deploy(network, client, "kept");

      await reaches(client, kind, await write(address, "time_out"), "LEADER_TIMEOUT");
      await reaches(client, kind, await write(address, "break_down"), "LEADER_TIMEOUT");

      expect(await read(address)).to.equal("kept");
    });

    it("finalizes a leader-only transaction at once, as agreed although nobody voted", async () => {
      const address = await deploy(network, client, "old");
      await rpc(network, "localnet_setFinalityWindow", 60);

      const hash = await write(address, "set", ["new"], { leaderOnly: true });
      const finalized = await reaches(client, kind, hash, "FINALIZED");
      await rpc(network, "localnet_setFinalityWindow", FINALITY_WINDOW);

      expect(finalized.result).to.equal("MAJORITY_AGREE");
      expect(finalized.votes).to.deep.equal(["NOT_VOTED"]);
      expect(await readFinal(address)).to.equal("new");
    });

    it("runs and finalizes the transactions of one contract in the order in which they came", async () => {
      const address = await deploy(network, client, "");
      const hashes: TransactionHash[] = [];
      for (const letter of ["a", "b", "c"]) hashes.push(await write(address, "append", [letter]));
      const [first, , last] = hashes;

      await finalizes(network, client, last!);

      expect(await readFinal(address)).to.equal("abc");
      expect((await finalizes(network, client, first!)).result).to.match(/AGREE$/);
    });

    it("shows a later, still appealable write as finalized on the Studio kind only", async () => {
      const address = await deploy(network, client, "");
      const first = await write(address, "append", ["a"]);
      await reaches(client, kind, first, "ACCEPTED");
      await rpc(network, "localnet_advanceTime", FINALITY_WINDOW / 2);
      const second = await write(address, "append", ["b"]);
      await reaches(client, kind, second, "ACCEPTED");

      await rpc(network, "localnet_advanceTime", FINALITY_WINDOW / 2);
      await reaches(client, kind, first, "FINALIZED");

      expect((await shown(client, kind, second)).status).to.equal("ACCEPTED");
      expect(await readFinal(address)).to.equal(kind === "studio" ? "ab" : "a");
    });

    it("has a block for every raw transaction, and none beyond the last", async () => {
      const address = await deploy(network, client);
      await write(address, "set", ["x"]);
      const latest = (await rpc(network, "eth_blockNumber")) as string;

      const block = (await rpc(network, "eth_getBlockByNumber", latest, false)) as { transactions: string[] };
      const beyond = `0x${(Number(latest) + 1).toString(16)}`;

      expect(block.transactions).to.have.length(1);
      expect(await rpc(network, "eth_getBlockByNumber", beyond, false)).to.equal(null);
    });

    it("fails a write to an address without a contract", async () => {
      const hash = await write("0x00000000000000000000000000000000000000AA", "set", ["new"]);

      expect((await finalizes(network, client, hash)).execution).to.equal("FINISHED_WITH_ERROR");
    });

    it("makes no contract of a deployment that fails", async () => {
      await rpc(network, "localnet_disagreeNext");
      const hash = (await client.deployContract({ code: SOURCE, args: [] })) as TransactionHash;
      await finalizes(network, client, hash);
      const address = await contractOf(network, hash);

      await rpc(network, "gen_getContractCode", kind === "studio" ? address : { address }).then(
        () => expect.fail("there is no contract"),
        (error: unknown) => expect(error).to.have.property("code", -32001),
      );
    });

    it("simulates a write without keeping anything of it", async () => {
      const address = await deploy(network, client, "kept");

      await client.simulateWriteContract({ address, functionName: "set", args: ["new"] });

      expect(await read(address)).to.equal("kept");
    });

    it("reports a failing read as an error", async () => {
      const address = await deploy(network, client);

      await client.readContract({ address, functionName: "fail", args: ["[EXPECTED] no"] }).then(
        () => expect.fail("the read fails"),
        (error: unknown) => expect((error as Error).message).to.contain("[EXPECTED] no"),
      );
    });

    it("counts a sender's transactions", async () => {
      const fresh = connect(network);
      expect(await fresh.getCurrentNonce({ address: fresh.account!.address })).to.equal("0x0");

      await deploy(network, fresh);

      expect(await fresh.getCurrentNonce({ address: fresh.account!.address })).to.equal("0x1");
    });

    it("answers the light status call in both forms", async () => {
      const address = await deploy(network, client);
      const hash = await write(address, "set", ["new"]);
      await finalizes(network, client, hash);

      const finalized = { status: "FINALIZED", statusCode: 7 };
      expect(await rpc(network, "gen_getTransactionStatus", hash)).to.deep.equal(finalized);
      expect(await rpc(network, "gen_getTransactionStatus", { txId: hash })).to.deep.equal(finalized);
    });

    it("shows an unknown transaction as an error on the Studio kind, as zeros on the testnet kind", async () => {
      const hash = `0x${"ab".repeat(32)}` as TransactionHash;
      const outcome = await client.getTransaction({ hash }).then(
        (transaction) => transaction.statusName,
        (error: unknown) => (error as { code?: number }).code,
      );

      expect(outcome).to.equal(kind === "studio" ? -32001 : "UNINITIALIZED");
    });

    it("lists a contract's transactions by their NewTransaction logs", async () => {
      const address = await deploy(network, client);
      const hash = await write(address, "set", ["new"]);

      const recipient = `0x${"0".repeat(24)}${address.slice(2)}`;
      const logs = (await rpc(network, "eth_getLogs", {
        fromBlock: "0x0",
        topics: [null, null, recipient],
      })) as {
        topics: string[];
      }[];

      expect(logs.map(({ topics }) => topics[1]).slice(1)).to.deep.equal([hash]);
      expect(logs).to.have.length(2);
    });
  });
}
