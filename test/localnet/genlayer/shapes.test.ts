import { expect } from "chai";
import { createAccount } from "genlayer-js";
import type { TransactionHash } from "genlayer-js/types";

import { encodeCalldata } from "../../../localnet/src/genlayer/calldata.ts";
import { type ChainKind } from "../../../localnet/src/genlayer/kinds.ts";
import type { ModelProvider } from "../../../localnet/src/genlayer/models/model.ts";
import { type GenLayerNetwork, startGenLayerNetwork } from "../../../localnet/src/genlayer/network.ts";
import { type Client, connect, deploy, FINALITY_WINDOW, finalizes, reaches, rpc, SOURCE } from "./client.ts";
import { createScriptedExecutor } from "./scripted-executor.ts";

const model: ModelProvider = { description: "always says yes", answer: () => Promise.resolve("yes") };

const start = (kind: ChainKind, provider: ModelProvider = model): Promise<GenLayerNetwork> =>
  startGenLayerNetwork({
    kind,
    executor: createScriptedExecutor(),
    models: [provider],
    finalityWindowSeconds: FINALITY_WINDOW,
  });

const write = async (client: Client, address: `0x${string}`, functionName: string, args: string[] = []) =>
  (await client.writeContract({ address, functionName, args, value: 0n })) as TransactionHash;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

for (const kind of ["studio", "testnet"] as const satisfies readonly ChainKind[]) {
  describe(`the statuses of the ${kind} kind`, () => {
    let network: GenLayerNetwork;
    /** Prompts that have not been answered yet. */
    let waiting: ((answer: string) => void)[] = [];
    before(async () => {
      network = await start(kind, {
        description: "answers when told to",
        answer: () => new Promise((resolve) => waiting.push(resolve)),
      });
    });
    after(() => network.stop());

    const answerAll = async (prompts: number): Promise<void> => {
      while (waiting.length < prompts) await new Promise((resolve) => setTimeout(resolve, 5));
      for (const answer of waiting) answer("yes");
      waiting = [];
    };

    it("come one after the other, and votes stay hidden until they are revealed", async () => {
      const client = connect(network);
      const address = await deploy(network, client);
      await rpc(network, "localnet_setPhaseTime", 60);

      const hash = await write(client, address, "ask");
      const votesWhen = async (status: string): Promise<readonly string[]> =>
        (await reaches(client, kind, hash, status)).votes;
      await votesWhen("PENDING");
      await rpc(network, "localnet_advanceTime", 60);
      const proposing = await votesWhen("PROPOSING");
      await answerAll(1);
      const committing = await votesWhen("COMMITTING");
      await answerAll(4);
      const revealing = await votesWhen("REVEALING");
      await rpc(network, "localnet_advanceTime", 60);
      const accepted = await votesWhen("ACCEPTED");

      const hidden = Array<string>(5).fill("NOT_VOTED");
      expect([proposing, committing, revealing]).to.deep.equal([hidden, hidden, hidden]);
      expect(accepted).to.deep.equal(Array<string>(5).fill("AGREE"));
    });
  });
}

describe("a transaction as Studio shows it", () => {
  let network: GenLayerNetwork;
  let client: Client;
  let address: `0x${string}`;
  before(async () => {
    network = await start("studio");
    client = connect(network);
    address = await deploy(network, client, "first");
  });
  after(() => network.stop());

  const raw = async (hash: string): Promise<Record<string, unknown>> =>
    (await rpc(network, "eth_getTransactionByHash", hash)) as Record<string, unknown>;
  const leaderOf = (transaction: Record<string, unknown>): Record<string, unknown> =>
    (transaction["consensus_data"] as { leader_receipt: Record<string, unknown>[] }).leader_receipt[0] ?? {};

  it("names who sent what to whom", async () => {
    const hash = await write(client, address, "set", ["é"]);
    await reaches(client, "studio", hash, "ACCEPTED");
    const calldata = base64(encodeCalldata({ method: "set", args: ["é"] }));

    const transaction = await raw(hash);

    expect(transaction).to.deep.include({
      hash,
      from_address: client.account?.address,
      sender: client.account?.address,
      type: 2,
      status: "ACCEPTED",
      result: 6,
      result_name: "MAJORITY_AGREE",
      txExecutionResult: 1,
      txExecutionResultName: "FINISHED_WITH_RETURN",
      execution_mode: "NORMAL",
      leader_only: false,
      num_of_initial_validators: 5,
      config_rotation_rounds: 3,
      value: 0,
      data: { calldata },
    });
    expect(String(transaction["to_address"]).toLowerCase()).to.equal(address);
    expect(transaction["tx_data"]).to.match(/^[0-9a-f]+$/);
    expect(new Date(String(transaction["created_at"])).getTime()).to.be.closeTo(Date.now(), 120_000);
  });

  it("carries a deployment's source and address", async () => {
    const hash = (await client.deployContract({ code: SOURCE, args: [] })) as TransactionHash;
    await reaches(client, "studio", hash, "ACCEPTED");

    const { type, data, to_address: to } = await raw(hash);

    expect(type).to.equal(1);
    expect(data).to.include({
      contract_code: Buffer.from(SOURCE).toString("base64"),
      contract_address: to,
    });
  });

  it("has one vote per validator, and a receipt of each with its model", async () => {
    const hash = await write(client, address, "ask");
    await reaches(client, "studio", hash, "ACCEPTED");

    const { consensus_data: data } = (await raw(hash)) as {
      consensus_data: {
        votes: Record<string, string>;
        leader_receipt: { node_config: { address: string } }[];
        validators: { vote: string; mode: string; node_config: { address: string; model: string } }[];
      };
    };

    const [leader] = data.leader_receipt;
    const validators = data.validators.map(({ node_config: node }) => node.address);
    expect(Object.values(data.votes)).to.deep.equal(["agree", "agree", "agree", "agree", "agree"]);
    expect(Object.keys(data.votes)).to.have.members([leader?.node_config.address, ...validators]);
    expect(data.validators.map(({ mode, vote }) => `${mode} ${vote}`)).to.deep.equal(
      Array<string>(4).fill("validator agree"),
    );
    expect(data.validators[0]?.node_config.model).to.equal("always says yes");
  });

  it("puts one code byte before a result: return, rollback, VM error", async () => {
    const results: [string, unknown, unknown][] = [];
    for (const [method, args] of [
      ["set", ["x"]],
      ["fail", ["[EXPECTED] no"]],
      ["crash", []],
    ] as const) {
      const hash = await write(client, address, method, [...args]);
      await reaches(client, "studio", hash, "ACCEPTED");
      const receipt = leaderOf(await raw(hash));
      results.push([method, receipt["execution_result"], receipt["result"]]);
    }

    expect(results).to.deep.equal([
      ["set", "SUCCESS", base64(Buffer.of(0, 0))],
      ["fail", "ERROR", base64(Buffer.from("\u0001[EXPECTED] no"))],
      ["crash", "ERROR", base64(Buffer.from("\u0002exit_code 1"))],
    ]);
  });

  it("lists the outputs of nondeterministic blocks as the leader saw them", async () => {
    const hash = await write(client, address, "ask");
    await reaches(client, "studio", hash, "ACCEPTED");

    const output = base64(Buffer.concat([Buffer.of(0), encodeCalldata("yes")]));
    expect(leaderOf(await raw(hash))["eq_outputs"]).to.deep.equal({ "0": output });
  });

  it("has a leader alone, and nobody's vote, when it was sent leader-only", async () => {
    const call = { address, functionName: "set", args: ["x"], value: 0n, leaderOnly: true };
    const hash = (await client.writeContract(call)) as TransactionHash;
    await reaches(client, "studio", hash, "FINALIZED");

    const transaction = await raw(hash);

    expect(transaction).to.include({
      leader_only: true,
      execution_mode: "LEADER_ONLY",
      result_name: "MAJORITY_AGREE",
    });
    expect(transaction["consensus_data"]).to.deep.include({ votes: {}, validators: [] });
  });

  it("is listed for its sender and for its contract", async () => {
    const sender = createAccount();
    const own = connect(network, sender);
    const hash = await write(own, address, "set", ["x"]);
    await reaches(own, "studio", hash, "ACCEPTED");

    const bySender = (await rpc(network, "sim_getTransactionsForAddress", sender.address)) as {
      hash: string;
    }[];
    const byContract = (await rpc(network, "sim_getTransactionsForAddress", address)) as { hash: string }[];

    expect(bySender.map((each) => each.hash)).to.deep.equal([hash]);
    expect(byContract.map((each) => each.hash)).to.include(hash);
    expect(bySender[0]).to.include({ status: "ACCEPTED", sender: sender.address });
    expect(bySender[0]).to.not.have.any.keys("data", "consensus_data");
  });
});

describe("the accounts of the Studio kind", () => {
  it("can be funded", async () => {
    const network = await start("studio");
    const { address } = createAccount();

    await rpc(network, "sim_fundAccount", address, 1000);
    const balance = await rpc(network, "eth_getBalance", address, "latest");
    await network.stop();

    expect(balance).to.equal("0x3e8");
  });
});

describe("a transaction as a testnet shows it", () => {
  let network: GenLayerNetwork;
  let client: Client;
  let address: `0x${string}`;
  before(async () => {
    network = await start("testnet");
    client = connect(network);
    address = await deploy(network, client, "first");
  });
  after(() => network.stop());

  it("has the payload, its parties and the last round's votes", async () => {
    const hash = await write(client, address, "ask");
    await finalizes(network, client, hash);

    const transaction = (await client.getTransaction({ hash })) as unknown as Record<string, unknown>;

    expect(transaction).to.include({ txId: hash, sender: client.account?.address, status: 7, result: 1 });
    expect(transaction["txDataDecoded"]).to.deep.include({
      type: "call",
      leaderOnly: false,
      callData: new Map([["method", "ask"]]),
    });
    expect(transaction["lastRound"]).to.deep.include({
      votesCommitted: "5",
      votesRevealed: "5",
      rotationsLeft: "3",
    });
    expect(transaction["eqBlocksOutputs"]).to.equal(
      `0x00${Buffer.from(encodeCalldata("yes")).toString("hex")}`,
    );
  });

  it("answers what genlayer-js asks about rounds and appeals", async () => {
    const hash = await write(client, address, "set", ["x"]);
    await reaches(client, "testnet", hash, "ACCEPTED");

    expect(await client.canAppeal({ txId: hash })).to.equal(true);
    expect(await client.getMinAppealBond({ txId: hash })).to.equal(1000n);
    expect(await client.getRoundNumber({ txId: hash })).to.equal(0n);
    expect(await client.getRoundData({ txId: hash, round: 0n })).to.deep.include({ votesRevealed: 5n });
    await client.appealTransaction({ txId: hash });
    await reaches(client, "testnet", hash, "ACCEPTED");
    const [round, data] = (await client.getLastRoundData({ txId: hash })) as [bigint, { appealBond: bigint }];
    await finalizes(network, client, hash);

    expect([round, data.appealBond]).to.deep.equal([1n, 1000n]);
    expect(await client.canAppeal({ txId: hash })).to.equal(false);
  });

  it("is READY_TO_FINALIZE by the clock of whoever asks", async () => {
    const hash = await write(client, address, "set", ["x"]);
    await reaches(client, "testnet", hash, "ACCEPTED");
    const selector = "0x57c4f80e";
    const at = (seconds: number): string => Math.floor(seconds).toString(16).padStart(64, "0");
    const status = async (seconds: number): Promise<unknown> =>
      Number(
        await rpc(network, "eth_call", {
          to: network.consensusData,
          data: `${selector}${hash.slice(2)}${at(seconds)}`,
        }),
      );

    expect(await status(0)).to.equal(5);
    expect(await status(Date.now() / 1000 + 600)).to.equal(11);
  });

  it("is traced by its leader's run", async () => {
    const hash = await write(client, address, "fail", ["[EXPECTED] no"]);
    await reaches(client, "testnet", hash, "ACCEPTED");

    const trace = await client.debugTraceTransaction({ hash });

    expect(trace).to.include({ result_code: 1, return_data: Buffer.from("[EXPECTED] no").toString("hex") });
  });

  it("shows code where its own contracts are, and nowhere else", async () => {
    expect(await rpc(network, "eth_getCode", network.consensusMain, "latest")).to.equal("0xfe");
    expect(await rpc(network, "eth_getCode", address, "latest")).to.equal("0x");
  });

  it("is not to be had from unknown functions or other addresses", async () => {
    const call = (to: string, data: string): Promise<unknown> =>
      rpc(network, "eth_call", { to, data }).catch((error: unknown) => (error as { code: number }).code);

    expect(await call(network.consensusData, "0x12345678")).to.equal(-32000);
    expect(await call(address, "0x12345678")).to.equal("0x");
  });
});
