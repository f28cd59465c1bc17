import { expect } from "chai";
import { reputationOf, toAddress, type AgreementFact, type AsOf, type Ending } from "@assay/protocol";
import { historyOf } from "../../../web/src/party/history.ts";
import { rateInWords } from "../../../web/src/party/rate-in-words.ts";
import { solvencyOf } from "../../../web/src/totals/solvency.ts";

const PARTY = toAddress(`0x${"1".repeat(40)}`);
const OTHER = toAddress(`0x${"2".repeat(40)}`);
const DAY = 86_400;
const START = 1_700_000_000;

const fact = (index: number, as: Ending | null): AgreementFact => ({
  agreementId: `0x${index.toString(16).padStart(64, "0")}`,
  ...{ buyer: OTHER, seller: PARTY, reward: 10n, adjudicator: toAddress(`0x${"3".repeat(40)}`) },
  ...{ agreementHash: `0x${"0".repeat(64)}`, adjudicatorConfig: `0x${"4".repeat(64)}` },
  deliverBy: START + index * DAY + 1_000,
  fundedAt: START + index * DAY,
  acceptedAt: START + index * DAY,
  submittedAt: START + index * DAY + 10,
  end: as === null ? null : { at: START + index * DAY + 20, as, sellerAmount: as === "passed" ? 10n : 0n },
});
const asOf: AsOf = {
  blockNumber: 1,
  blockHash: `0x${"5".repeat(64)}`,
  timestamp: START + 1_000 * DAY,
};

describe("a party's history", () => {
  it("ends with the very figures of its reputation now", () => {
    const facts = [fact(0, "passed"), fact(1, "failed"), fact(2, "passed"), fact(3, null)];
    const last = historyOf(PARTY, facts, asOf, undefined).at(-1);
    const { asSeller } = reputationOf({ party: PARTY, asOf, agreements: facts });
    expect(last).to.deep.include({
      at: asOf.timestamp,
      completion: asSeller.completion.all,
      sold: asSeller.counts.ended,
      soldVolume: asSeller.fundedVolume,
    });
  });

  it("knows nothing of later agreements at an earlier moment", () => {
    const moments = historyOf(PARTY, [fact(0, "passed"), fact(1, "failed")], asOf, undefined);
    const after = moments.find(({ at }) => at === START + 20);
    expect(after).to.include({ sold: 1, soldVolume: 10n });
    expect(after?.completion.bps).to.equal(10_000);
  });

  it("stays small however many agreements there are, its ends included", () => {
    const facts = Array.from({ length: 400 }, (_unused, index) => fact(index, "passed"));
    const moments = historyOf(PARTY, facts, asOf, undefined);
    expect(moments.length).to.be.at.most(60);
    expect(moments[0]?.at).to.equal(START);
    expect(moments.at(-1)?.at).to.equal(asOf.timestamp);
  });

  it("counts only trusted adjudications when some are named", () => {
    const moments = historyOf(PARTY, [fact(0, "passed")], asOf, [
      { adjudicator: OTHER, adjudicatorConfig: `0x${"4".repeat(64)}` },
    ]);
    expect(moments.at(-1)).to.include({ sold: 0, soldVolume: 0n });
  });

  it("writes rates as the command line does", () => {
    expect(rateInWords({ bps: 7_500, lowBps: 3_010, highBps: 9_540 })).to.equal("75% (30.1% to 95.4%)");
  });
});

describe("solvency", () => {
  const totals = {
    ...{ fundedTotal: 100n, paidOutTotal: 60n, lockedReward: 30n, openCredits: 10n },
    ...{ agreementCount: 4, liveCount: 1, releasedCount: 1, refundedCount: 1, splitCount: 1 },
  };
  for (const [what, holdings, expected] of [
    ["exactly what is owed", 40n, { owed: 40n, surplus: 0n, isSolvent: true, doBooksAddUp: true }],
    ["a donation more", 45n, { owed: 40n, surplus: 5n, isSolvent: true, doBooksAddUp: true }],
    ["one unit less", 39n, { owed: 40n, surplus: -1n, isSolvent: false, doBooksAddUp: true }],
  ] as const)
    it(`holds ${what}`, () => {
      expect(solvencyOf(totals, holdings)).to.deep.equal(expected);
    });

  it("notices books that do not add up", () => {
    expect(solvencyOf({ ...totals, paidOutTotal: 61n }, 40n).doBooksAddUp).to.equal(false);
  });
});
