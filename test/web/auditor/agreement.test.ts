import { expect } from "chai";
import { UnavailableError, type OperatorView } from "@assay/evidence";
import { ZERO_HASH, type Evidence } from "@assay/protocol";
import { resultsOf } from "../../../web/src/agreement/results.ts";
import { outcomeOf, situationsOf } from "../../../web/src/agreement/situation.ts";
import { timelineOf } from "../../../web/src/agreement/timeline.ts";
import { viewOf, type AgreementView, type OperatorReading } from "../../../web/src/agreement/view.ts";
import { BUYER, NOW, SELLER, escrowLog, settledCase } from "../../protocol/audit/support/case.ts";

const OPERATOR = "https://operator.example";

type Stage = OperatorView["submissions"][number]["stages"][number];

/** An operator that tells of stages. */
function telling(stages: readonly Stage[], more: object = {}): OperatorReading {
  const submission = {
    submissionHash: ZERO_HASH,
    state: "WAITING",
    reason: null,
    lastError: null,
    stages: [...stages],
    judge: { transactions: [`0x${"77".repeat(32)}`] },
    requirements: [],
    verdict: null,
    attestations: [],
    ...more,
  };
  return {
    origin: OPERATOR,
    view: { agreementId: `0x${"0".repeat(64)}`, ignoredReason: null, submissions: [submission] },
  };
}

const at = (stage: string): Stage => ({ stage, at: new Date((NOW + 100) * 1_000).toISOString() });

/** The evidence with the transactions from some on taken away. */
function until(evidence: Evidence, kept: number): Evidence {
  return { ...evidence, evm: { ...evidence.evm, transactions: evidence.evm.transactions.slice(0, kept) } };
}

const names = (view: AgreementView): string[] => situationsOf(view).map(({ name }) => name);

describe("an agreement on the page", () => {
  let settled: Evidence;
  before(async () => {
    settled = await settledCase();
  });

  it("stands where its events leave it", () => {
    const statuses = settled.evm.transactions.map(
      (_transaction, index) => viewOf(until(settled, index + 1), [], NOW).status,
    );
    expect(statuses[0]).to.match(/^(Funded|Accepted)$/);
    expect(statuses).to.include("Submitted");
    expect(statuses.at(-1)).to.equal("Released");
  });

  it("is not shown at all when the node shows other terms than its id says", () => {
    const forged = { ...settled, evm: { ...settled.evm, chainId: 1 } };
    expect(() => viewOf(forged, [], NOW)).to.throw(UnavailableError, "not those of agreement");
  });

  it("tells the outcome, and the results of the verdict record that hashes to the chain's value", () => {
    const view = viewOf(settled, [], NOW);
    expect(outcomeOf(view)).to.equal("PASS");
    const { results, toldBy } = resultsOf(view);
    expect(results.size).to.be.greaterThan(0);
    expect(toldBy).to.include("hashes to the value on the chain");
  });

  it("marks results as unproven when only an operator tells them, and tells none before the verdict is final", () => {
    const bare = { ...settled, verdictRecord: null };
    const requirements = [{ id: "REQ-1", result: "PASS", decidedBy: "check" }];
    const early = viewOf(bare, [telling([at("provisional")], { requirements })], NOW);
    expect(resultsOf(early)).to.deep.equal({ results: new Map(), toldBy: null });
    const verdict = { outcome: "PASS", verdictHash: `0x${"1".repeat(64)}`, record: {} };
    const late = viewOf(bare, [telling([at("finalized")], { requirements, verdict })], NOW);
    expect(resultsOf(late).toldBy).to.include("not proven");
  });

  describe("says what to know and what to do", () => {
    const submitted = (): Evidence => until(settled, settled.evm.transactions.length - 1);

    it("while the delivery is awaited, and when it is late", () => {
      const funded = until(settled, 1);
      const { terms } = viewOf(funded, [], 0);
      expect(names(viewOf(funded, [], terms.deliverBy))).to.include("awaiting_delivery");
      expect(names(viewOf(funded, [], terms.deliverBy + 1))).to.include("delivery_overdue");
    });

    it("while the verdict is awaited, and when it is late", () => {
      const view = viewOf(submitted(), [], 0);
      expect(view.status).to.equal("Submitted");
      expect(names(view)).to.include("awaiting_verdict");
      expect(names({ ...view, now: view.terms.adjudicateBy + 1 })).to.include("verdict_overdue");
    });

    it("while the verdict is provisional, and not when it is final", () => {
      const view = viewOf(submitted(), [telling([at("provisional")])], NOW);
      expect(names(view)).to.include("provisional").and.not.to.include("awaiting_verdict");
      const final = viewOf(submitted(), [telling([at("provisional"), at("finalized")])], NOW);
      expect(names(final)).to.include("awaiting_verdict").and.not.to.include("provisional");
    });

    for (const outcome of ["UNDETERMINED", "WITHHELD"] as const) {
      it(`when it ended ${outcome}`, async () => {
        const view = viewOf(await settledCase({ outcome }), [], NOW);
        expect(names(view)).to.include(outcome.toLowerCase());
      });
    }

    it("when the token refused a payout", () => {
      const last = settled.evm.transactions.at(-1);
      if (last === undefined) throw new Error("The case has no transaction");
      const credit = escrowLog("Credited", [settled.agreementId, SELLER, 5n]);
      const transactions = [
        ...settled.evm.transactions.slice(0, -1),
        { ...last, logs: [...last.logs, credit] },
      ];
      const view = viewOf({ ...settled, evm: { ...settled.evm, transactions } }, [], NOW);
      expect(names(view)).to.include("credited");
      expect(situationsOf(view).find(({ name }) => name === "credited")?.title).to.include("the seller");
      expect(view.events.at(-1)).to.include({ name: "Credited", account: SELLER, amount: 5n });
    });

    it("when the last event is not final", () => {
      expect(names(viewOf(settled, [], NOW))).not.to.include("not_final");
      const view = viewOf({ ...settled, evm: { ...settled.evm, finalizedBlock: 0 } }, [], NOW);
      expect(names(view)).to.include("not_final");
    });

    it("when the chain took an event back, until it is there again", () => {
      const { events } = viewOf(settled, [], NOW);
      const back = viewOf(submitted(), [], NOW, events);
      expect(names(back)[0]).to.equal("reorged");
      expect(back.vanished.map(({ name }) => name)).to.deep.equal(["Released"]);
      expect(names(viewOf(settled, [], NOW, events))).not.to.include("reorged");
    });

    it("when operators are away, disagree, or leave it alone", () => {
      const down: OperatorReading = { origin: OPERATOR, problem: "no answer" };
      expect(names(viewOf(settled, [down], NOW))).to.include("operators_down");
      const says = (digit: string): OperatorReading =>
        telling([], { verdict: { outcome: "PASS", verdictHash: `0x${digit.repeat(64)}`, record: {} } });
      expect(names(viewOf(settled, [says("1"), says("1")], NOW))).not.to.include("operators_disagree");
      expect(names(viewOf(settled, [says("1"), says("2")], NOW))).to.include("operators_disagree");
      const stuck = telling([], { reason: "the judge's code is another" });
      expect(names(viewOf(submitted(), [stuck], NOW))).to.include("operator_stuck");
    });

    it("when a document can't be had", () => {
      const gaps = [{ subject: "submission" as const, reason: "nobody has it" }];
      expect(names(viewOf({ ...settled, gaps }, [], NOW))).to.include("document_missing");
    });
  });

  describe("has a life", () => {
    it("in the order of its events, each final or not, with its transaction", () => {
      const moments = timelineOf(viewOf(settled, [], NOW));
      expect(moments.map(({ title }) => title)).to.include.members(["Funded", "Delivered", "Paid"]);
      expect(
        moments.filter(({ where }) => where === "evm").every(({ finality }) => finality === "final"),
      ).to.equal(true);
      const titles = moments.map(({ title }) => title);
      expect(titles.indexOf("Judged")).to.be.greaterThan(titles.indexOf("Delivered"));
      expect(titles.indexOf("Paid")).to.be.greaterThan(titles.indexOf("Judged"));
    });

    it("with the judge's transaction from the certificate when no operator tells more", () => {
      const judged = timelineOf(viewOf(settled, [], NOW)).find(({ where }) => where === "genlayer");
      expect(judged).to.include({ title: "Judged", toldBy: null });
      expect(judged?.transactions).to.have.length(1);
    });

    it("with the stages that operators tell of, the earliest of each, and whose word it is", () => {
      const view = viewOf(settled, [telling([at("relayed"), at("provisional"), at("finalized")])], NOW);
      const told = timelineOf(view).filter(({ toldBy }) => toldBy !== null);
      expect(told.map(({ key, finality }) => [key, finality])).to.deep.equal([
        ["relayed", "unknown"],
        ["provisional", "provisional"],
        ["finalized", "final"],
      ]);
      expect(told.every(({ toldBy }) => toldBy === OPERATOR)).to.equal(true);
    });

    it("with what is due", () => {
      const view = viewOf(until(settled, 1), [], 0);
      expect(timelineOf(view).at(-1)).to.include({ isAhead: true, at: view.terms.deliverBy });
      expect(timelineOf(viewOf(settled, [], NOW)).some(({ isAhead }) => isAhead)).to.equal(false);
    });
  });

  it("names parties as the terms do", () => {
    expect(viewOf(settled, [], NOW).terms).to.include({ buyer: BUYER, seller: SELLER });
  });
});
