import { expect } from "chai";
import type { Hex, Verdict } from "@assay/protocol";
import type { Operator } from "../../oracle/src/index.ts";
import { OperatorSet } from "./support/operators.ts";
import { hash } from "./support/states.ts";
import {
  createWorld,
  deliver,
  put,
  submissionOf,
  submissionView,
  until,
  type World,
} from "./support/world.ts";

/** Verdicts that operators show: their own, or the one by which others settled while they were still judging. */
function distinctVerdicts(
  views: readonly { readonly verdict: { readonly verdictHash: Hex } | null }[],
): number {
  return new Set(views.map(({ verdict }) => verdict?.verdictHash)).size;
}

describe("three operators that need two signatures", () => {
  let world: World;
  let set: OperatorSet;
  beforeEach(async () => {
    world = await createWorld();
    set = await OperatorSet.of(world);
  });
  afterEach(() => world.end());

  const startAll = (env: Record<string, string> = {}) =>
    Promise.all([0, 1, 2].map((index) => set.start(index, {}, env)));
  const settledEverywhere = async (operators: readonly Operator[], agreementId: Hex) =>
    Promise.all(
      operators.map((operator) => until(world, operator, agreementId, ["SETTLED"], { timeout: 20_000 })),
    );

  it("judge once, deliver once, and all end with the same verdict", async () => {
    // So long that nobody's turn but the first comes, however slow the machine is beside the chain's clock.
    const operators = await startAll({ ASSAY_RANK_SECONDS: "600" });
    const { agreementId } = await deliver(world, operators[0]!, set.deal());
    const views = await settledEverywhere(operators, agreementId);
    expect(distinctVerdicts(views)).to.equal(1);
    expect(world.genLayer.transactions).to.have.length(1);
    expect(world.evm.settlements).to.have.length(1);
    expect(world.evm.broadcast.size).to.equal(1);
  }).timeout(30_000);

  it("hand each other the documents that only one of them was given", async () => {
    const operators = await startAll();
    const deal = set.deal();
    const agreementId = world.evm.fund(deal.terms);
    const submission = submissionOf(agreementId);
    await put(operators[1]!, deal.agreementBytes);
    await put(operators[2]!, submission.bytes);
    world.evm.submit(agreementId, submission.hash);
    await settledEverywhere(operators, agreementId);
    for (const operator of operators)
      expect((await fetch(`${operator.url}/v1/documents/${submission.hash}`)).status).to.equal(200);
  }).timeout(30_000);

  it("do without one of them, whoever's turn it was", async () => {
    for (const absent of [0, 1, 2]) {
      const present = [0, 1, 2].filter((index) => index !== absent);
      const operators = await Promise.all(present.map((index) => set.start(index)));
      const { agreementId } = await deliver(world, operators[0]!, set.deal());
      await settledEverywhere(operators, agreementId);
      await Promise.all(operators.map((operator) => operator.stop()));
    }
    expect(world.evm.settlements).to.have.length(3);
  }).timeout(60_000);

  it("pay nothing while only one of them is there", async () => {
    const operator = await set.start(0);
    const { agreementId } = await deliver(world, operator, set.deal());
    await until(world, operator, agreementId, ["ATTESTED"], { seconds: 10 });
    for (let blocks = 0; blocks < 10; blocks++) {
      world.evm.mine();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await submissionView(operator, agreementId))?.state).to.equal("ATTESTED");
    expect(world.evm.broadcast.size).to.equal(0);
    const second = await set.start(1);
    await settledEverywhere([operator, second], agreementId);
  }).timeout(30_000);

  it("show by which record the others settled to whoever comes later", async () => {
    const early = await Promise.all([0, 1].map((index) => set.start(index)));
    const { agreementId } = await deliver(world, early[0]!, set.deal());
    const [first] = await settledEverywhere(early, agreementId);
    const late = await set.start(2);
    const [view] = await settledEverywhere([late], agreementId);
    expect(view!.reason).to.equal("settled by others before this operator had a verdict");
    expect(view!.verdict).to.deep.equal(first!.verdict);
    const answer = await fetch(`${late.url}/v1/verdicts/${first!.verdict!.verdictHash}`);
    expect(answer.status).to.equal(200);
  }).timeout(30_000);

  it("list the same rounds when none of them ended with a record", async () => {
    world.genLayer.plans = ["UNDETERMINED", "LEADER_TIMEOUT"];
    const operators = await startAll();
    const { agreementId } = await deliver(world, operators[0]!, set.deal());
    const views = await settledEverywhere(operators, agreementId);
    expect(distinctVerdicts(views)).to.equal(1);
    expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([3]);
  }).timeout(30_000);

  describe("when two of them ask the judge, since neither sees the other's transaction", () => {
    async function judgedTwice(): Promise<Hex> {
      world.genLayer.fault = (method) =>
        method === "sim_getTransactionsForAddress"
          ? { body: { error: { code: -32601, message: "no" } } }
          : undefined;
      const env = { ASSAY_RANK_SECONDS: "0", ASSAY_PEERS: "" };
      const blind = await Promise.all([0, 1].map((index) => set.start(index, {}, env)));
      const deal = set.deal();
      const { agreementId } = await deliver(world, blind[0]!, deal);
      await put(blind[1]!, deal.agreementBytes);
      await put(blind[1]!, submissionOf(agreementId).bytes);
      for (let turns = 0; turns < 400 && world.genLayer.transactions.length < 2; turns++) {
        world.evm.mine();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(world.genLayer.transactions.length).to.be.at.least(2);
      await Promise.all(blind.map((operator) => operator.stop()));
      world.genLayer.fault = () => undefined;
      return agreementId;
    }

    it("settle by the lowest-numbered record", async () => {
      const agreementId = await judgedTwice();
      const views = await settledEverywhere(await startAll(), agreementId);
      expect(distinctVerdicts(views)).to.equal(1);
      expect(world.evm.settlements).to.have.length(1);
    }).timeout(40_000);

    it("list the same rounds, the oldest, when no transaction left a record", async () => {
      world.genLayer.plans = Array.from({ length: 8 }, () => "UNDETERMINED" as const);
      const agreementId = await judgedTwice();
      const views = await settledEverywhere(await startAll(), agreementId);
      expect(distinctVerdicts(views)).to.equal(1);
      expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([3]);
    }).timeout(40_000);
  });

  describe("with one that lies", () => {
    /** Starts two honest operators beside an impostor who publishes `change` of the truth under its own signature. */
    async function withImpostor(answer: (truth: Verdict) => Promise<object>) {
      const honest = await Promise.all([0, 1].map((index) => set.start(index)));
      const end = await set.impersonate(2, async (path) => {
        if (!path.startsWith("/v1/attestations/")) return null;
        const response = await fetch(`${honest[0]!.url}${path}`);
        if (!response.ok) return null;
        return answer(((await response.json()) as { verdict: Verdict }).verdict);
      });
      return { honest, end };
    }

    it("stop paying and say so when it signs another outcome", async () => {
      const honest = [await set.start(0)];
      const end = await set.impersonate(2, async (path) => {
        if (!path.startsWith("/v1/attestations/")) return null;
        const response = await fetch(`${honest[0]!.url}${path}`);
        if (!response.ok) return null;
        const { verdict } = (await response.json()) as { verdict: Verdict };
        return set.attestation(2, { ...verdict, outcome: 2, verdictHash: hash(0x13) });
      });
      const { agreementId } = await deliver(world, honest[0]!, set.deal());
      const view = await until(world, honest[0]!, agreementId, ["CONFLICT"], {
        seconds: 10,
        timeout: 20_000,
      });
      expect(view.reason).to.match(
        new RegExp(`operator ${set.attester(2)} at http://127.0.0.1:\\d+ signed 0x`),
      );
      expect(world.evm.broadcast.size).to.equal(0);
      await end();
    }).timeout(30_000);

    for (const [what, lie] of [
      [
        "a signature that is not its own",
        async (truth: Verdict) => ({ ...(await set.attestation(1, truth)), operator: set.attester(2) }),
      ],
      ["a signature of somebody outside the set", async (truth: Verdict) => set.attestation(7, truth)],
      ["garbage", () => Promise.resolve({ operator: "nobody" })],
      [
        "a certificate about another agreement",
        (truth: Verdict) => set.attestation(2, { ...truth, agreementId: hash(1) }),
      ],
      [
        "a certificate for another escrow",
        (truth: Verdict) =>
          set.attestation(2, { ...truth, escrow: "0x1111111111111111111111111111111111111111" }),
      ],
    ] as const)
      it(`settle without it when it publishes ${what}`, async () => {
        const { honest, end } = await withImpostor(lie);
        const { agreementId } = await deliver(world, honest[0]!, set.deal());
        await settledEverywhere(honest, agreementId);
        expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([1]);
        await end();
      }).timeout(40_000);
  });
});
