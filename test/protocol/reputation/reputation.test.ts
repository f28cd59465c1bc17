import { readFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import {
  type AgreementFact,
  ENDINGS,
  type Ending,
  type Rate,
  type Rates,
  type Reputation,
  ReputationError,
  ValueError,
  reputationOf,
} from "@assay/protocol";
import { refusalOf } from "../support/refusal.ts";
import { anyFacts, AS_OF, BUYER, CONFIG, DAY, fact, NOW, OTHER, QUORUM, SELLER } from "./support/facts.ts";

const of = (party: string, agreements: AgreementFact[], timestamp = NOW): Reputation =>
  reputationOf({ party, asOf: { ...AS_OF, timestamp }, agreements });

/** Whether agreements count as a success or a failure in a rate, or not at all. */
const reading = ({ all }: Rates): boolean | null => (all.bps === null ? null : all.bps === 10_000);

const NOT_SUBMITTED = { submittedAt: null };
const NOT_ACCEPTED = { acceptedAt: null, submittedAt: null };

describe("what counts in a reputation", () => {
  // [how far it came, how it ended, seller's completion, buyer's payment, buyer's cancellation]
  const table: [string, Ending, Partial<AgreementFact>, boolean | null, boolean | null, boolean][] = [
    ["submitted", "passed", {}, true, true, false],
    ["submitted", "failed", {}, false, false, false],
    ["submitted", "withheld", {}, false, false, false],
    ["submitted", "undetermined", {}, null, null, false],
    ["submitted", "unjudged", {}, null, null, false],
    ["submitted", "settled", {}, null, null, false],
    ["accepted", "settled", NOT_SUBMITTED, null, null, false],
    ["submitted", "concededByBuyer", {}, null, true, false],
    ["accepted", "concededByBuyer", NOT_SUBMITTED, null, null, false],
    ["submitted", "concededBySeller", {}, false, false, false],
    ["accepted", "concededBySeller", NOT_SUBMITTED, false, null, false],
    ["accepted", "noShows", NOT_SUBMITTED, false, null, false],
    ["funded", "declined", NOT_ACCEPTED, null, null, false],
    ["funded", "lapsed", NOT_ACCEPTED, null, null, false],
    ["funded", "cancelled", NOT_ACCEPTED, null, null, true],
  ];

  it("is decided for every way to end", () => {
    expect(new Set(table.map(([, as]) => as))).to.deep.equal(new Set(ENDINGS));
  });

  for (const [reach, as, changes, completion, payment, cancellation] of table) {
    it(`${as}, ${reach}: completion ${completion}, payment ${payment}, cancellation ${cancellation}`, () => {
      const agreements = [fact("one", as, 1, changes)];
      expect(reading(of(SELLER, agreements).asSeller.completion)).to.equal(completion);
      expect(reading(of(BUYER, agreements).asBuyer.payment)).to.equal(payment);
      expect(reading(of(BUYER, agreements).asBuyer.cancellation)).to.equal(cancellation);
      expect(of(SELLER, agreements).asSeller.counts[as]).to.equal(1);
    });
  }

  it("does not count an agreement under way, before or after its delivery", () => {
    const agreements = [
      fact("submitted", null, 0),
      fact("accepted", null, 0, { ...NOT_SUBMITTED, deliverBy: NOW }),
      fact("funded", null, 9, NOT_ACCEPTED),
    ];
    const { asSeller } = of(SELLER, agreements);
    expect(asSeller.counts).to.include({ funded: 3, ended: 0, accepted: 0, submitted: 0, overdue: 0 });
    expect(reading(asSeller.completion)).to.equal(null);
    expect(reading(of(BUYER, agreements).asBuyer.cancellation)).to.equal(null);
  });

  it("counts a missed deadline from the next second on, as the same no-show before and after it is expired", () => {
    const missed = {
      ...NOT_SUBMITTED,
      deliverBy: NOW - 45 * DAY,
      fundedAt: NOW - 50 * DAY,
      acceptedAt: NOW - 49 * DAY,
    };
    const waiting = fact("one", null, 0, missed);
    const expired = fact("one", "noShows", 3, missed);
    expect(of(SELLER, [waiting], missed.deliverBy).asSeller.counts.overdue).to.equal(0);
    expect(of(SELLER, [waiting], missed.deliverBy + 1).asSeller.counts.overdue).to.equal(1);
    const [before, after] = [of(SELLER, [waiting]).asSeller, of(SELLER, [expired]).asSeller];
    expect(before.completion.all.bps).to.equal(0);
    expect(after.completion).to.deep.equal(before.completion);
    expect([before.counts.overdue, before.counts.noShows]).to.deep.equal([1, 0]);
    expect([after.counts.overdue, after.counts.noShows]).to.deep.equal([0, 1]);
  });

  it("forgives a missed deadline that both sides settled", () => {
    const settled = fact("one", "settled", 1, { ...NOT_SUBMITTED, deliverBy: NOW - 9 * DAY });
    expect(reading(of(SELLER, [settled]).asSeller.completion)).to.equal(null);
  });
});

describe("reputationOf", () => {
  it("names measure, party, moment and adjudications", () => {
    const { asSeller: _seller, asBuyer: _buyer, ...frame } = of(SELLER.toLowerCase(), []);
    expect(frame).to.deep.equal({
      measure: "assay/reputation/1",
      party: SELLER,
      asOf: AS_OF,
      adjudications: null,
      byCategory: null,
    });
  });

  it("knows nothing of a party without agreements", () => {
    const { asSeller, asBuyer } = of(OTHER, [fact("of others", "passed")]);
    const nothing: Rate = { bps: null, lowBps: 0, highBps: 10_000 };
    expect(asSeller.completion).to.deep.equal({ all: nothing, recent: nothing, byVolume: nothing });
    expect(new Set(Object.values(asBuyer.counts))).to.deep.equal(new Set([0]));
    expect(asBuyer).to.include({ counterparties: 0, mostWithOneCounterparty: 0, firstFundedAt: null });
  });

  it("weighs by recency and by volume", () => {
    const agreements = [
      fact("fresh pass", "passed", 0, { reward: 1n }),
      fact("old fail", "failed", 90, { reward: 3n }),
    ];
    const { completion } = of(SELLER, agreements).asSeller;
    expect([completion.all.bps, completion.recent.bps, completion.byVolume.bps]).to.deep.equal([
      5_000, 6_667, 2_500,
    ]);
  });

  it("widens the recent interval with age, though nothing else happens", () => {
    const agreements = [1, 2, 3, 4].map((days) => fact(`${days}`, "passed", days));
    const [today, later] = [NOW, NOW + 200 * DAY].map(
      (moment) => of(SELLER, agreements, moment).asSeller.completion,
    );
    expect(later!.all).to.deep.equal(today!.all);
    expect(later!.recent.bps).to.equal(10_000);
    expect(later!.recent.lowBps).to.be.lessThan(today!.recent.lowBps);
  });

  it("widens the interval by volume when one reward dwarfs the others", () => {
    const even = [1, 2, 3, 4].map((days) => fact(`${days}`, "passed", days));
    const dwarfed = [...even.slice(1), fact("big", "passed", 1, { reward: 10n ** 9n })];
    const [low, lower] = [even, dwarfed].map(
      (agreements) => of(SELLER, agreements).asSeller.completion.byVolume.lowBps,
    );
    expect([low, lower]).to.deep.equal([5_100, 2_065]);
  });

  it("tells how many counterparties there were, and how much was with one", () => {
    const agreements = [
      fact("1", "passed"),
      fact("2", "failed"),
      fact("3", "passed", 0, { buyer: OTHER }),
      fact("4", null, 0, { buyer: OTHER }),
      fact("5", "passed", 0, { buyer: OTHER }),
    ];
    expect(of(SELLER, agreements).asSeller).to.include({ counterparties: 2, mostWithOneCounterparty: 3 });
  });

  it("sums rewards and shares", () => {
    const agreements = [
      fact("paid", "passed", 0, { reward: 7n, end: { at: NOW, as: "passed", sellerAmount: 7n } }),
      fact("split", "settled", 2, {
        reward: 5n,
        end: { at: NOW - 2 * DAY, as: "settled", sellerAmount: 3n },
      }),
      fact("live", null, 1, { reward: 11n }),
    ];
    expect(of(SELLER, agreements).asSeller).to.include({
      ...{ fundedVolume: 23n, sellerVolume: 10n, buyerVolume: 2n },
      ...{ firstFundedAt: NOW - 2 * DAY - 3_600, lastChangedAt: NOW },
    });
  });

  it("counts only agreements under the adjudications that it is told of", () => {
    const agreements = [
      fact("named", "passed"),
      fact("other quorum", "failed", 0, { adjudicatorConfig: `0x${"00".repeat(32)}` }),
      fact("their friend", "failed", 0, { adjudicator: OTHER }),
    ];
    const { asSeller, adjudications } = reputationOf({
      ...{ party: SELLER, asOf: AS_OF, agreements },
      adjudications: [{ adjudicator: QUORUM.toLowerCase() as typeof QUORUM, adjudicatorConfig: CONFIG }],
    });
    expect(adjudications).to.deep.equal([{ adjudicator: QUORUM, adjudicatorConfig: CONFIG }]);
    expect(asSeller.counts.funded).to.equal(1);
    expect(asSeller.completion.all.bps).to.equal(10_000);
  });

  it("refuses an agreement twice, an address that is none, and a time that is none", () => {
    const twice = [fact("one", "passed"), fact("one", "passed")];
    const duplicated = refusalOf(ReputationError, () => of(SELLER, twice));
    expect(duplicated.code).to.equal("agreement_duplicated");
    expect(duplicated.message).to.include(twice[0]!.agreementId);
    expect(refusalOf(ValueError, () => of("0x12", [])).code).to.equal("address_malformed");
    expect(refusalOf(ReputationError, () => of(SELLER, [], NOW + 0.5)).code).to.equal("time_malformed");
  });
});

describe("a reputation, whatever the agreements are,", () => {
  const figures = (agreements: AgreementFact[], timestamp = NOW): unknown => [
    of(SELLER, agreements, timestamp),
    of(BUYER, agreements, timestamp),
  ];

  it("does not depend on their order", () => {
    fc.assert(
      fc.property(
        anyFacts.chain((facts) =>
          fc.tuple(
            fc.constant(facts),
            fc.shuffledSubarray(facts, { minLength: facts.length, maxLength: facts.length }),
          ),
        ),
        ([facts, shuffled]) => {
          expect(figures(shuffled)).to.deep.equal(figures(facts));
        },
      ),
    );
  });

  it("is for a past moment what it was then, whatever happened since", () => {
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 0, max: 2_000 }), (facts, daysAgo) => {
        const then = NOW - daysAgo * DAY;
        const past = (time: number | null): number | null => (time !== null && time <= then ? time : null);
        const knownThen = facts
          .filter(({ fundedAt }) => fundedAt <= then)
          .map((known) => ({
            ...known,
            acceptedAt: past(known.acceptedAt),
            submittedAt: past(known.submittedAt),
            end: known.end !== null && known.end.at <= then ? known.end : null,
          }));
        expect(figures(facts, then)).to.deep.equal(figures(knownThen, then));
      }),
    );
  });

  it("has every ended agreement in exactly one count, and estimates within their bounds", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { asSeller } = of(SELLER, facts);
        const { counts, completion } = asSeller;
        expect(ENDINGS.reduce((sum, ending) => sum + counts[ending], 0)).to.equal(counts.ended);
        expect(counts.funded).to.equal(facts.length);
        for (const { bps, lowBps, highBps } of Object.values(completion) as Rate[]) {
          expect(0 <= lowBps && lowBps <= highBps && highBps <= 10_000).to.be.true;
          if (bps !== null) expect(bps).to.be.within(lowBps, highBps);
        }
      }),
    );
  });

  it("is not lowered for the seller by one more PASS, however old", () => {
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 0, max: 900 }), (facts, daysAgo) => {
        const [before, after] = [facts, [...facts, fact("one more", "passed", daysAgo)]].map(
          (agreements) => of(SELLER, agreements).asSeller.completion,
        );
        for (const rates of ["all", "recent"] as const) {
          expect(after![rates].bps ?? 0).to.be.at.least(before![rates].bps ?? 0);
          expect(after![rates].lowBps).to.be.at.least(before![rates].lowBps);
        }
        expect(after!.byVolume.bps).to.be.at.least(before!.byVolume.bps ?? 0);
      }),
    );
  });

  it("is not raised for the seller by one more failure", () => {
    fc.assert(
      fc.property(
        anyFacts,
        fc.constantFrom("failed", "withheld", "noShows", "concededBySeller"),
        (facts, as) => {
          const more = fact("one more", as, 1, as === "noShows" ? NOT_SUBMITTED : {});
          const [before, after] = [facts, [...facts, more]].map(
            (agreements) => of(SELLER, agreements).asSeller.completion,
          );
          for (const rates of ["all", "recent", "byVolume"] as const) {
            expect(after![rates].bps).to.be.at.most(before![rates].bps ?? 10_000);
          }
          expect(after!.all.highBps).to.be.at.most(before!.all.highBps);
        },
      ),
    );
  });

  it("is not moved for the seller by what it does not answer for", () => {
    fc.assert(
      fc.property(
        anyFacts,
        fc.constantFrom(
          "undetermined",
          "unjudged",
          "settled",
          "concededByBuyer",
          "lapsed",
          "cancelled",
          "declined",
        ),
        (facts, as) => {
          const changes = as === "lapsed" || as === "cancelled" || as === "declined" ? NOT_ACCEPTED : {};
          const more = [...facts, fact("one more", as, 1, changes)];
          expect(of(SELLER, more).asSeller.completion).to.deep.equal(of(SELLER, facts).asSeller.completion);
        },
      ),
    );
  });
});

describe("docs/protocol/reputation.md", () => {
  it("works its example as the package does", () => {
    const agreements = [
      fact("a", "passed", 0, { reward: 100_000_000n }),
      fact("b", "passed", 45, { reward: 40_000_000n }),
      fact("c", "passed", 90, { reward: 40_000_000n }),
      fact("d", null, 0, {
        ...NOT_SUBMITTED,
        reward: 20_000_000n,
        deliverBy: NOW - 180 * DAY,
        acceptedAt: 0,
        fundedAt: 0,
      }),
      fact("e", "undetermined", 10, { reward: 500_000_000n }),
    ];
    const { completion } = of(SELLER, agreements).asSeller;
    const document = readFileSync(new URL("../../../docs/protocol/reputation.md", import.meta.url), "utf8");
    for (const [name, { bps, lowBps, highBps }] of Object.entries(completion) as [string, Rate][]) {
      expect(document).to.match(
        new RegExp(`\\| \`${name}\` \\|.*\\| ${bps} \\| ${lowBps} \\| ${highBps} \\|`),
      );
    }
  });
});
