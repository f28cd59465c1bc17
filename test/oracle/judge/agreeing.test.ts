import { expect } from "chai";
import { findGenLayerNetwork, type Hex } from "@assay/protocol";
import {
  JudgeUnavailableError,
  createAgreeingJudge,
  type Judge,
  type JudgeTransaction,
} from "../../../oracle/src/judge/index.ts";
import { ChainIdentityError, RpcUnavailableError } from "../../../oracle/src/rpc/index.ts";
import { rejection } from "../support/rejection.ts";
import { JUDGE } from "../support/sim-genlayer.ts";
import { hash } from "../support/states.ts";
import { ADDRESSES } from "../support/world.ts";

const ID = hash(0x99);
const FINAL: JudgeTransaction = {
  id: ID,
  status: "FINALIZED",
  result: "AGREE",
  execution: "FINISHED_WITH_RETURN",
  sender: ADDRESSES.relayer,
  recipient: JUDGE,
  leaderOnly: false,
  initialValidators: 5,
  participants: 5,
  calldata: "0x01",
  createdAt: 1,
};

const down = () => Promise.reject(new RpcUnavailableError("bench://one", "eth_call", "no answer"));

/** An endpoint that says what the test lets it say, and is silent about the rest. */
function endpoint(says: Partial<Judge>): Judge {
  return new Proxy(
    { network: findGenLayerNetwork("localnet")!, relayer: ADDRESSES.relayer, ...says },
    { get: (target, name): unknown => (name in target ? Reflect.get(target, name) : down) },
  ) as Judge;
}

const tells = (...transactions: (JudgeTransaction | null)[]) =>
  createAgreeingJudge(
    transactions.map((transaction) =>
      endpoint({ transaction: () => Promise.resolve(transaction) }),
    ) as unknown as [Judge, Judge],
  );
const codes = (...hashes: (Hex | null | typeof down)[]) =>
  createAgreeingJudge(
    hashes.map((code) =>
      endpoint({ codeHash: typeof code === "function" ? code : () => Promise.resolve(code) }),
    ) as unknown as [Judge, Judge],
  );

describe("several endpoints of one GenLayer network", () => {
  it("are the one endpoint, when there is one", () => {
    const only = endpoint({});
    expect(createAgreeingJudge([only])).to.equal(only);
  });

  it("take a transaction for final when two of them say the same", async () => {
    expect(await tells(FINAL, { ...FINAL }).transaction(ID)).to.deep.equal(FINAL);
    expect(await tells({ ...FINAL, result: "DISAGREE" }, FINAL, { ...FINAL }).transaction(ID)).to.deep.equal(
      FINAL,
    );
  });

  it("wait for the one that has not got so far", async () => {
    const accepted = { ...FINAL, status: "ACCEPTED" };
    expect(await tells(FINAL, accepted).transaction(ID)).to.deep.equal(accepted);
    expect(await tells(null, FINAL).transaction(ID)).to.equal(null);
  });

  for (const [member, value] of [
    ["result", "MAJORITY_DISAGREE"],
    ["execution", "FINISHED_WITH_ERROR"],
    ["sender", ADDRESSES.attester],
    ["calldata", "0x02"],
    ["initialValidators", 1],
    ["leaderOnly", true],
  ] as const)
    it(`know nothing of a final transaction whose ${member} they tell apart`, async () => {
      const error = await rejection(tells(FINAL, { ...FINAL, [member]: value }).transaction(ID));
      expect(error).to.be.instanceOf(JudgeUnavailableError);
    });

  it("believe nobody alone: neither about the code, nor a record, nor that there is none", async () => {
    expect(await codes(hash(1), hash(1)).codeHash(JUDGE)).to.equal(hash(1));
    expect(await codes(down, hash(1), hash(1)).codeHash(JUDGE)).to.equal(hash(1));
    expect(await rejection(codes(hash(1), hash(2)).codeHash(JUDGE))).to.be.instanceOf(JudgeUnavailableError);
    expect(await rejection(codes(hash(1), null).codeHash(JUDGE))).to.be.instanceOf(JudgeUnavailableError);
    expect(await rejection(codes(hash(1), down).codeHash(JUDGE))).to.be.instanceOf(RpcUnavailableError);
    const record = { version: 1, sequence: 1, sender: JUDGE, key: ID, record: "{}", adjudicationHash: ID };
    const lying = createAgreeingJudge([
      endpoint({ record: () => Promise.resolve(record) }),
      endpoint({ record: () => Promise.resolve({ ...record, record: '{"decision":"PASS"}' }) }),
    ]);
    expect(await rejection(lying.record(JUDGE, ADDRESSES.relayer, ID))).to.be.instanceOf(
      JudgeUnavailableError,
    );
  });

  it("believe nobody alone about a workflow or its assessment", async () => {
    const record = { version: 1, sequence: 1, sender: JUDGE, key: ID, record: "{}", adjudicationHash: ID };
    const workflows = (state: "READY" | "CLOSED", version: number) =>
      ({
        read: () => Promise.resolve({ state, workflowDigest: ID, outputs: { A: "", B: "" } }),
        record: () => Promise.resolve({ ...record, version }),
      }) as unknown as Judge["workflows"];
    const alike = createAgreeingJudge([
      endpoint({ workflows: workflows("READY", 1) }),
      endpoint({ workflows: workflows("READY", 1) }),
    ]);
    expect((await alike.workflows.read(JUDGE, ID)).state).to.equal("READY");
    expect((await alike.workflows.record(JUDGE, JUDGE, ID)).version).to.equal(1);
    const apart = createAgreeingJudge([
      endpoint({ workflows: workflows("READY", 1) }),
      endpoint({ workflows: workflows("CLOSED", 0) }),
    ]);
    expect(await rejection(apart.workflows.read(JUDGE, ID))).to.be.instanceOf(JudgeUnavailableError);
    expect(await rejection(apart.workflows.record(JUDGE, JUDGE, ID))).to.be.instanceOf(JudgeUnavailableError);
  });

  it("list records in one order, and what one of them hides is found at another", async () => {
    const entries = [1, 2].map((sequence) => ({ sender: ADDRESSES.relayer, sequence }));
    const both = createAgreeingJudge([
      endpoint({
        records: () => Promise.resolve(entries),
        transactionsTo: () => Promise.resolve([hash(1)]),
      }),
      endpoint({
        records: () => Promise.resolve(entries.toReversed()),
        transactionsTo: () => Promise.resolve([hash(1), hash(2)]),
      }),
      endpoint({ transactionsTo: () => Promise.resolve(null) }),
    ]);
    expect(await both.records(JUDGE, ID)).to.deep.equal(entries);
    expect(await both.transactionsTo(JUDGE, 0)).to.deep.equal([hash(1), hash(2)]);
  });

  it("send to every one, and give out no nonce that one of them has counted", async () => {
    const sent: number[] = [];
    const both = createAgreeingJudge([
      endpoint({ sendRaw: down, nonce: () => Promise.resolve(3) }),
      endpoint({
        sendRaw: () => {
          sent.push(1);
          return Promise.resolve();
        },
        nonce: () => Promise.resolve(4),
      }),
    ]);
    await both.sendRaw("0x01");
    expect(sent).to.deep.equal([1]);
    expect(await both.nonce()).to.equal(4);
    expect(
      await rejection(createAgreeingJudge([endpoint({}), endpoint({})]).sendRaw("0x01")),
    ).to.be.instanceOf(RpcUnavailableError);
  });

  it("are refused when one answers for another network, and are no trouble when one is silent", async () => {
    const right = endpoint({ verifyIdentity: () => Promise.resolve() });
    const foreign = endpoint({
      verifyIdentity: () => Promise.reject(new ChainIdentityError("another network")),
    });
    await createAgreeingJudge([endpoint({}), right]).verifyIdentity();
    expect(await rejection(createAgreeingJudge([right, foreign]).verifyIdentity())).to.be.instanceOf(
      ChainIdentityError,
    );
    expect(
      await rejection(createAgreeingJudge([endpoint({}), endpoint({})]).verifyIdentity()),
    ).to.be.instanceOf(RpcUnavailableError);
  });
});
