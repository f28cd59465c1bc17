import { expect } from "chai";
import { documentHash } from "@assay/protocol";
import {
  createWorld,
  ADDRESSES,
  dealOf,
  deliver,
  put,
  submissionOf,
  submissionView,
  until,
  type World,
} from "./support/world.ts";
import { hash } from "./support/states.ts";

describe("operator", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.end());

  it("releases on PASS, with the verdict hash that it publishes", async () => {
    const operator = await world.start();
    const { agreementId, submissionHash } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["SETTLED"]);

    expect(view.verdict?.outcome).to.equal("PASS");
    expect(world.evm.settlements).to.have.length(1);
    const [settlement] = world.evm.settlements;
    expect(settlement?.verdict.outcome).to.equal(1);
    expect(settlement?.verdict.submissionHash).to.equal(submissionHash);
    expect(settlement?.verdict.verdictHash).to.equal(view.verdict?.verdictHash);
    expect(settlement?.verdict.judgeTx).to.equal(world.genLayer.transactions[0]?.id);
  });

  it("passes every stage once, in order, each with its time", async () => {
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["SETTLED"]);

    expect(view.transitions.map((entry) => entry.to)).to.deep.equal([
      "OBSERVED",
      "ANCHORED",
      "RELAY_READY",
      "RELAY_READY",
      "RELAY_SENT",
      "JUDGING",
      "PROVISIONAL",
      "VERDICT_FINAL",
      "ATTESTED",
      "QUORUM",
      "SETTLE_READY",
      "SETTLE_SENT",
      ...(view.transitions.some((entry) => entry.to === "SETTLE_INCLUDED") ? ["SETTLE_INCLUDED"] : []),
      "SETTLED_SEEN",
      "SETTLED",
    ]);
    for (const { stage, at } of view.stages) expect(at, stage).to.be.a("string");
  });

  it("refunds on FAIL", async () => {
    world.genLayer.plans = ["FAIL"];
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["SETTLED"]);
    expect(view.verdict?.outcome).to.equal("FAIL");
    expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([2]);
  });

  it("tries again after a round without agreement, and settles by the round that has one", async () => {
    world.genLayer.plans = ["UNDETERMINED", "PASS"];
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["SETTLED"]);
    expect(view.verdict?.outcome).to.equal("PASS");
    expect(view.judge.inconclusive).to.deep.equal([world.genLayer.transactions[0]?.id]);
    expect(world.genLayer.transactions).to.have.length(2);
    expect(world.evm.settlements).to.have.length(1);
  });

  it("concludes UNDETERMINED when every agreed round ended without a record, and lists them", async () => {
    world.genLayer.plans = ["LEADER_TIMEOUT", "ERROR"];
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    const view = await until(world, operator, agreementId, ["SETTLED"]);
    expect(view.verdict?.outcome).to.equal("UNDETERMINED");
    expect(view.judge.inconclusive).to.deep.equal(world.genLayer.transactions.map(({ id }) => id));
    expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([3]);
    expect(world.evm.settlements[0]?.verdict.judgeTx).to.equal(world.genLayer.transactions[1]?.id);
  });

  it("refunds as WITHHELD when the submission's document stays away for the whole window", async () => {
    const operator = await world.start({}, { ASSAY_DOCUMENT_WINDOW_SECONDS: "60" });
    const deal = dealOf(world);
    const agreementId = world.evm.fund(deal.terms);
    await put(operator, deal.agreementBytes);
    world.evm.submit(agreementId, hash(0x77));
    await until(world, operator, agreementId, ["ANCHORED"]);
    const view = await until(world, operator, agreementId, ["SETTLED"], { seconds: 10 });
    expect(view.verdict?.outcome).to.equal("WITHHELD");
    expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([4]);
    expect(world.genLayer.transactions).to.have.length(0);
  });

  it("takes a document about another agreement for no document", async () => {
    const operator = await world.start({}, { ASSAY_DOCUMENT_WINDOW_SECONDS: "60" });
    const deal = dealOf(world);
    const agreementId = world.evm.fund(deal.terms);
    const foreign = submissionOf(hash(0x99));
    await put(operator, deal.agreementBytes);
    await put(operator, foreign.bytes);
    world.evm.submit(agreementId, foreign.hash);
    const view = await until(world, operator, agreementId, ["SETTLED"], { seconds: 10 });
    expect(view.verdict?.outcome).to.equal("WITHHELD");
  });

  it("pays nobody when the agreement's own document stays away", async () => {
    const operator = await world.start({}, { ASSAY_DOCUMENT_WINDOW_SECONDS: "60" });
    const deal = dealOf(world);
    const agreementId = world.evm.fund(deal.terms);
    const submission = submissionOf(agreementId);
    await put(operator, submission.bytes);
    world.evm.submit(agreementId, submission.hash);
    const view = await until(world, operator, agreementId, ["QUARANTINED"], { seconds: 10 });
    expect(view.reason).to.equal(
      "the agreement's document could not be had from any source during the document window",
    );
    expect(world.evm.settlements).to.deep.equal([]);
  });

  it("goes on as soon as a missing document arrives", async () => {
    const operator = await world.start();
    const deal = dealOf(world);
    const agreementId = world.evm.fund(deal.terms);
    const submission = submissionOf(agreementId);
    await put(operator, deal.agreementBytes);
    world.evm.submit(agreementId, submission.hash);
    await until(world, operator, agreementId, ["ANCHORED"]);
    expect((await put(operator, submission.bytes)).status).to.equal(201);
    await until(world, operator, agreementId, ["SETTLED"]);
  });

  for (const [what, adjudication, reason] of [
    [
      "code is not the pinned one",
      { codeHash: hash(0x66) },
      /the judge's code has hash 0x[0-9a-f]{64}, the agreement pins 0x66/,
    ],
    ["network is another one", { chainId: 61_999 }, /this operator serves localnet/],
    [
      "ConsensusMain is another one",
      { consensusMain: "0x6CAFF6769d70824745AD895663409DC70aB5B28E" as const },
      /this operator serves localnet/,
    ],
  ] as const)
    it(`parks an agreement whose judge's ${what}`, async () => {
      const operator = await world.start();
      const { agreementId } = await deliver(world, operator, dealOf(world, { adjudication }));
      const view = await until(world, operator, agreementId, ["QUARANTINED"]);
      expect(view.reason).to.match(reason);
      expect(world.genLayer.transactions).to.have.length(0);
    });

  it("never relays for an agreement that does not name its relayer", async () => {
    const operator = await world.start();
    const deal = dealOf(world, {
      adjudication: { relayers: ["0x3333333333333333333333333333333333333333"] },
    });
    const { agreementId } = await deliver(world, operator, deal);
    await until(world, operator, agreementId, ["RELAY_READY"]);
    for (let blocks = 0; blocks < 5; blocks++) {
      world.evm.mine();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(world.genLayer.sends).to.have.length(0);
  });

  it("leaves agreements of other quorums alone, and says why", async () => {
    const operator = await world.start();
    const adjudicator = "0x3333333333333333333333333333333333333333" as const;
    const stranger = dealOf(world, { terms: { adjudicator } });
    const otherSet = dealOf(world, { terms: { adjudicatorConfig: hash(0x42) } });
    const own = dealOf(world);
    const ids = [stranger, otherSet].map((deal) => world.evm.fund(deal.terms));
    for (const id of ids) world.evm.submit(id, hash(0x77));
    const { agreementId } = await deliver(world, operator, own);
    await until(world, operator, agreementId, ["SETTLED"]);

    const reasons = await Promise.all(
      ids.map(async (id) => {
        const view = (await (await fetch(`${operator.url}/v1/agreements/${id}`)).json()) as {
          ignoredReason: string;
          submissions: unknown[];
        };
        expect(view.submissions).to.deep.equal([]);
        return view.ignoredReason;
      }),
    );
    expect(reasons[0]).to.equal(`its adjudicator is ${adjudicator}, not our quorum`);
    expect(reasons[1]).to.equal(`its adjudicator config is ${hash(0x42)}, which is not our member set`);
    expect(world.evm.settlements).to.have.length(1);
  });

  it("leaves an agreement alone whose buyer or seller is a member of the quorum", async () => {
    const operator = await world.start();
    const member = ADDRESSES.attester;
    const ids = (["buyer", "seller"] as const).map((role) =>
      world.evm.fund(dealOf(world, { terms: { [role]: member } }).terms),
    );
    for (const id of ids) world.evm.submit(id, hash(0x77));
    const { agreementId } = await deliver(world, operator, dealOf(world));
    await until(world, operator, agreementId, ["SETTLED"]);
    for (const [index, role] of ["buyer", "seller"].entries()) {
      const view = (await (await fetch(`${operator.url}/v1/agreements/${ids[index]}`)).json()) as object;
      expect(view).to.include({ ignoredReason: `its ${role} ${member} is a member of our set` });
    }
    expect(world.evm.settlements).to.have.length(1);
  });

  it("never relays an agreement whose reporter is one of its parties", async () => {
    const operator = await world.start();
    const { seller } = dealOf(world).terms;
    const deal = dealOf(world, { agreement: { reporters: [{ id: "tester", address: seller }] } });
    const { agreementId } = await deliver(world, operator, deal);
    const view = await until(world, operator, agreementId, ["QUARANTINED"]);
    expect(view.reason).to.equal("the agreement's reporter tester is its buyer or seller");
    expect(world.genLayer.sends).to.have.length(0);
  });

  it("never relays an agreement whose recorder is one of its parties", async () => {
    const operator = await world.start();
    const { seller } = dealOf(world).terms;
    const deal = dealOf(world, {
      agreement: {
        execution: {
          nonce: `0x${"11".repeat(32)}`,
          recorder: seller,
          steps: [{ index: 0, method: "GET", pathTemplate: "/", auth: false }],
        },
      },
    });
    const { agreementId } = await deliver(world, operator, deal);
    const view = await until(world, operator, agreementId, ["QUARANTINED"]);
    expect(view.reason).to.equal("the recorder of the agreement's execution is its buyer or seller");
    expect(world.genLayer.sends).to.have.length(0);
  });

  it("expires what the parties close by themselves, once that is final", async () => {
    const operator = await world.start();
    const deal = dealOf(world);
    const agreementId = world.evm.fund(deal.terms);
    world.evm.submit(agreementId, hash(0x77));
    await until(world, operator, agreementId, ["ANCHORED"]);
    world.evm.close(agreementId, "Settled");
    const view = await until(world, operator, agreementId, ["EXPIRED"]);
    expect(view.reason).to.equal("the parties settled by themselves");
  });

  it("expires what nobody judged in time", async () => {
    world.genLayer.plans = ["STUCK"];
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["JUDGING"]);
    const view = await until(world, operator, agreementId, ["EXPIRED"], { seconds: 2_000 });
    expect(view.reason).to.equal("no verdict was settled until the end of the adjudication window");
    expect(world.evm.settlements).to.deep.equal([]);
  });

  it("takes somebody else's delivery of its own verdict for settled", async () => {
    const operator = await world.start();
    world.evm.includes = false;
    const { agreementId, submissionHash } = await deliver(world, operator);
    const sent = await until(world, operator, agreementId, ["SETTLE_SENT"]);
    world.evm.settleByOther(agreementId, submissionHash, sent.verdict!.verdictHash);
    await until(world, operator, agreementId, ["SETTLED"]);
  });

  it("conflicts with a settlement by another verdict", async () => {
    const operator = await world.start();
    world.evm.includes = false;
    const { agreementId, submissionHash } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLE_SENT"]);
    world.evm.settleByOther(agreementId, submissionHash, hash(0x13));
    const view = await until(world, operator, agreementId, ["CONFLICT"]);
    expect(view.reason).to.include(hash(0x13));
  });

  it("sends more gas than genlayer-js asks for", async () => {
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"]);
    expect(world.genLayer.gasLimits[0]! > 500_000n).to.equal(true);
  });

  it("judges many agreements at once, each exactly once", async () => {
    const operator = await world.start();
    const deals = await Promise.all(Array.from({ length: 12 }, () => deliver(world, operator)));
    for (const { agreementId } of deals)
      await until(world, operator, agreementId, ["SETTLED"], { timeout: 15_000 });
    expect(world.genLayer.transactions).to.have.length(12);
    expect(new Set(world.evm.settlements.map((settlement) => settlement.agreementId)).size).to.equal(12);
    expect(world.evm.settlements).to.have.length(12);
  }).timeout(30_000);

  it("shows nothing before a submission is on the chain", async () => {
    const operator = await world.start();
    const deal = dealOf(world);
    const agreementId = world.evm.fund(deal.terms);
    world.evm.mine(3);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(await submissionView(operator, agreementId)).to.equal(null);
    expect(documentHash(deal.agreementBytes)).to.equal(deal.terms.agreementHash);
  });
});
