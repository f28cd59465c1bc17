import { expect } from "chai";
import { documentHash, utf8Encode, type Address } from "@assay/protocol";
import { loadExample } from "../../examples/index.ts";
import { balanceOf, deliveryFor, expire, publish, submit, type Deal } from "../../scripts/local/parties.ts";
import type { Stack } from "../../scripts/local/stack.ts";
import { REWARD } from "../../scripts/local/walk.ts";
import {
  certificatesOf,
  control,
  deliver,
  fundedDeal,
  indexedDeal,
  operatorUrl,
  passTime,
  statusOf,
  untilSettled,
  untilAnySubmission,
  untilSubmission,
} from "./support/scene.ts";
import { openStack } from "./support/world.ts";

const HOUR = 3600;

describe("lifecycle, end to end", function () {
  this.timeout(120_000);
  let stack: Stack;

  before(async () => {
    stack = await openStack();
  });

  const balances = async (): Promise<{ buyer: bigint; seller: bigint }> => ({
    buyer: await balanceOf(stack.venue, stack.cast.buyer.address as Address),
    seller: await balanceOf(stack.venue, stack.cast.seller.address as Address),
  });

  const restartAll = async (how: "stop" | "kill"): Promise<void> => {
    await Promise.all(stack.operators.map((_operator, index) => stack.restartOperator(index, how)));
  };

  /** Checks that the deal's reward went to `to`, whole, and that exactly one certificate said so. */
  async function expectPaid(
    deal: Deal,
    to: "buyer" | "seller",
    before: { buyer: bigint; seller: bigint },
  ): Promise<void> {
    const after = await balances();
    expect(after.seller - before.seller, "seller").to.equal(to === "seller" ? REWARD : 0n);
    expect(before.buyer - after.buyer, "buyer").to.equal(to === "seller" ? REWARD : 0n);
    expect(await certificatesOf(stack, deal)).to.have.length(1);
  }

  it("PASS: the seller is paid, and the index has the outcome, the hash and the signers", async () => {
    const before = await balances();
    const deal = await fundedDeal(stack, "password-reset/strict");
    await deliver(stack, deal, "password-reset/strict");
    const { verdict } = await untilSettled(stack, deal);
    expect(verdict?.outcome).to.equal("PASS");
    await expectPaid(deal, "seller", before);
    const indexed = await indexedDeal(stack, deal);
    expect(indexed.status).to.equal("RELEASED");
    expect(indexed.outcome).to.equal("PASS");
    expect(indexed.verdictHash).to.equal(verdict?.verdictHash);
    const signers = indexed.certificates[0]?.signers.map(({ id }) => id) ?? [];
    expect(signers).to.have.length(stack.venue.threshold);
    expect(stack.venue.members.map((member) => member.toLowerCase())).to.include.members(signers);
  });

  it("FAIL: the buyer is refunded because of what is in the files, on the requirement about expired tokens alone", async () => {
    const before = await balances();
    const deal = await fundedDeal(stack, "password-reset/lenient");
    await deliver(stack, deal, "password-reset/lenient");
    const { verdict, requirements } = await untilSettled(stack, deal);
    expect(verdict?.outcome).to.equal("FAIL");
    expect(requirements.filter(({ result }) => result !== "PASS")).to.deep.equal([
      { id: "REQ-6", result: "FAIL", decidedBy: "model" },
    ]);
    await expectPaid(deal, "buyer", before);
    expect((await indexedDeal(stack, deal)).status).to.equal("REFUNDED");
  });

  it("a research brief with evidence passes", async () => {
    const deal = await fundedDeal(stack, "research-brief");
    await deliver(stack, deal, "research-brief");
    expect((await untilSettled(stack, deal)).verdict?.outcome).to.equal("PASS");
  });

  it("UNDETERMINED, then another round, then PASS", async () => {
    const before = await balances();
    const deal = await fundedDeal(stack, "password-reset/strict");
    await control(stack, "disagreeNext", { contract: stack.judge.contract });
    await deliver(stack, deal, "password-reset/strict");
    const { verdict, judge } = await untilSettled(stack, deal);
    expect(verdict?.outcome).to.equal("PASS");
    expect(judge.inconclusive).to.have.length(1);
    expect(judge.transactions).to.have.length(2);
    await expectPaid(deal, "seller", before);
  });

  it("UNDETERMINED in every round: the agreed default split, with both transactions in the record", async () => {
    const before = await balances();
    const deal = await fundedDeal(stack, "password-reset/strict");
    await control(stack, "disagreeNext", { contract: stack.judge.contract, transactions: 2 });
    await deliver(stack, deal, "password-reset/strict");
    const { verdict } = await untilSettled(stack, deal);
    expect(verdict?.outcome).to.equal("UNDETERMINED");
    expect(verdict?.record.transactions).to.have.length(2);
    const after = await balances();
    expect(after.seller - before.seller).to.equal((REWARD * 4_000n) / 10_000n);
    expect(before.buyer - after.buyer).to.equal((REWARD * 4_000n) / 10_000n);
    expect((await indexedDeal(stack, deal)).status).to.equal("SPLIT");
  });

  for (const stage of ["relayed", "provisional", "attested"]) {
    it(`every operator is killed once one is ${stage}, and started again: exactly one settlement`, async () => {
      const before = await balances();
      const deal = await fundedDeal(stack, "password-reset/strict");
      await deliver(stack, deal, "password-reset/strict");
      await untilAnySubmission(stack, deal, ({ stages }) =>
        stages.some((one) => one.stage === stage && one.at !== null),
      );
      await restartAll("kill");
      const { verdict, judge } = await untilSettled(stack, deal);
      expect(verdict?.outcome).to.equal("PASS");
      expect(judge.transactions, "one judge transaction").to.have.length(1);
      await expectPaid(deal, "seller", before);
    });
  }

  it("operators that drain and come back go on where they were", async () => {
    const deal = await fundedDeal(stack, "password-reset/lenient");
    await restartAll("stop");
    await deliver(stack, deal, "password-reset/lenient");
    expect((await untilSettled(stack, deal)).verdict?.outcome).to.equal("FAIL");
  });

  it("documents that do not hash to their name, or are not canonical, are refused with the reason", async () => {
    const deal = await fundedDeal(stack, "password-reset/strict");
    const delivery = deliveryFor(deal, loadExample("password-reset/strict").submission);
    const put = async (
      name: string,
      body: Uint8Array,
    ): Promise<{ status: number; problem: Record<string, unknown> }> => {
      const response = await fetch(`${operatorUrl(stack)}/v1/documents/${name}`, {
        method: "PUT",
        body: Buffer.from(body),
      });
      return { status: response.status, problem: (await response.json()) as Record<string, unknown> };
    };
    const wrong = await put(documentHash(delivery), Buffer.concat([delivery, Buffer.from(" ")]));
    expect(wrong.status).to.equal(422);
    expect(wrong.problem["code"]).to.equal("hash_mismatch");
    const loose = utf8Encode(` ${Buffer.from(delivery).toString("utf8")}`);
    const spaced = await put(documentHash(loose), loose);
    expect(spaced.status).to.equal(422);
    expect(spaced.problem["code"]).to.equal("not_canonical");
  });

  // From here on the chain's clock is moved, which nothing before would survive unchanged.

  it("a submission whose document never arrives is never judged and never pays the seller: WITHHELD refunds", async () => {
    const before = await balances();
    const deal = await fundedDeal(stack, "password-reset/strict");
    const delivery = deliveryFor(deal, loadExample("password-reset/strict").submission);
    await submit(stack.venue, deal, stack.cast.seller, documentHash(delivery));
    const waiting = await untilSubmission(stack, deal, ({ state }) => state === "ANCHORED");
    expect(waiting.judge.transactions).to.deep.equal([]);
    expect(await statusOf(stack, deal)).to.equal("Submitted");
    await passTime(stack, 2 * HOUR);
    const { verdict, judge } = await untilSettled(stack, deal);
    expect(verdict?.outcome).to.equal("WITHHELD");
    expect(judge.transactions).to.deep.equal([]);
    await expectPaid(deal, "buyer", before);
  });

  it("no submission: after the deadline anybody may expire the agreement, and the buyer is refunded", async () => {
    const before = await balances();
    const deal = await fundedDeal(stack, "password-reset/strict");
    await passTime(stack, HOUR + 1);
    await expire(stack.venue, deal, stack.cast.relayer);
    expect(await balances()).to.deep.equal(before);
    expect(await statusOf(stack, deal)).to.equal("Refunded");
    const indexed = await indexedDeal(stack, deal);
    expect(indexed.status).to.equal("REFUNDED");
    expect(indexed.events.map(({ kind }) => kind)).to.deep.equal(["FUNDED", "ACCEPTED", "EXPIRED"]);
  });

  it("no operator at all: after the verdict's deadline the agreed default divides the reward", async () => {
    const before = await balances();
    const deal = await fundedDeal(stack, "password-reset/strict");
    const delivery = deliveryFor(deal, loadExample("password-reset/strict").submission);
    await publish(operatorUrl(stack), delivery);
    await Promise.all(stack.operators.map((operator) => operator.stop()));
    await submit(stack.venue, deal, stack.cast.seller, documentHash(delivery));
    await passTime(stack, 3 * HOUR + 1);
    await expire(stack.venue, deal, stack.cast.relayer);
    const after = await balances();
    expect(after.seller - before.seller).to.equal((REWARD * 4_000n) / 10_000n);
    expect(await statusOf(stack, deal)).to.equal("Split");
    await restartAll("stop");
    await untilSubmission(stack, deal, ({ state }) => state === "EXPIRED");
    expect(await certificatesOf(stack, deal)).to.have.length(0);
  });

  it("at the end the index's books are those of the escrow: nothing is owed and nothing is left", async () => {
    const block = await stack.venue.provider.getBlock("latest");
    await stack.graph.waitForBlock({ number: block?.number ?? 0, hash: block?.hash ?? "" });
    const books = await stack.graph.query<{ escrow: Record<string, string> }>(
      "query Books($id: ID!) { escrow(id: $id) { fundedTotal paidOutTotal lockedReward openCredits } }",
      { id: stack.venue.escrow.toLowerCase() },
    );
    const { fundedTotal = "", paidOutTotal = "", lockedReward = "", openCredits = "" } = books.escrow;
    const owed = BigInt(lockedReward) + BigInt(openCredits);
    expect(owed).to.equal(BigInt(fundedTotal) - BigInt(paidOutTotal));
    expect(owed).to.equal(await balanceOf(stack.venue, stack.venue.escrow));
  });
});
