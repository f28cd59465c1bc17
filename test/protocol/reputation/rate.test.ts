import { expect } from "chai";
import fc from "fast-check";
import { type Rate, rateOf } from "@assay/protocol";

/** Successes and failures that weigh one each. */
const counted = (successes: number, failures: number): Rate => {
  const total = BigInt(successes + failures);
  return rateOf({ successes: BigInt(successes), total, squares: total });
};

/** Wilson's formula as textbooks print it. */
function textbook(successes: number, n: number): [number, number] {
  const [p, z] = [successes / n, 1.96];
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  return [(centre - half) * 10_000, (centre + half) * 10_000];
}

const count = fc.integer({ min: 0, max: 5_000 });
const tally = fc
  .array(fc.record({ success: fc.boolean(), weight: fc.bigInt({ min: 1n, max: 2n ** 200n }) }), {
    minLength: 1,
  })
  .map((samples) => ({
    successes: samples.reduce((sum, { success, weight }) => (success ? sum + weight : sum), 0n),
    total: samples.reduce((sum, { weight }) => sum + weight, 0n),
    squares: samples.reduce((sum, { weight }) => sum + weight * weight, 0n),
  }));

describe("rateOf", () => {
  for (const [successes, failures, bps, lowBps, highBps] of [
    [1, 0, 10_000, 2_065, 10_000],
    [0, 1, 0, 0, 7_935],
    [1, 1, 5_000, 945, 9_055],
    [2, 1, 6_667, 2_076, 9_386],
    [4, 0, 10_000, 5_100, 10_000],
    [8, 2, 8_000, 4_901, 9_434],
    [80, 20, 8_000, 7_111, 8_667],
    [800, 200, 8_000, 7_740, 8_237],
  ] as const) {
    it(`says ${bps} bps, between ${lowBps} and ${highBps}, of ${successes} in ${successes + failures}`, () => {
      expect(counted(successes, failures)).to.deep.equal({ bps, lowBps, highBps });
    });
  }

  it("knows nothing of nothing, which is not zero", () => {
    expect(rateOf({ successes: 0n, total: 0n, squares: 0n })).to.deep.equal({
      bps: null,
      lowBps: 0,
      highBps: 10_000,
    });
  });

  it("agrees with the textbook's formula, bounds rounded outwards", () => {
    fc.assert(
      fc.property(count, count, (successes, failures) => {
        fc.pre(successes + failures > 0);
        const { lowBps, highBps } = counted(successes, failures);
        const [low, high] = textbook(successes, successes + failures);
        expect(low - lowBps).to.be.within(-1e-6, 1 + 1e-6);
        expect(highBps - high).to.be.within(-1e-6, 1 + 1e-6);
      }),
    );
  });

  it("has its bounds exactly where Wilson's test turns", () => {
    // (p − y)² · n ≥ z² · y · (1 − y) holds outside of the interval, and nowhere inside.
    fc.assert(
      fc.property(tally, ({ successes, total, squares }) => {
        const { bps, lowBps, highBps } = rateOf({ successes, total, squares });
        const isOutside = (y: bigint): boolean =>
          (10_000n * successes - y * total) ** 2n * 625n >= 2_401n * y * (10_000n - y) * squares;
        expect(bps).to.be.within(lowBps, highBps);
        expect([lowBps, highBps].map((bound) => isOutside(BigInt(bound)))).to.deep.equal([true, true]);
        if (BigInt(lowBps + 1) * total <= 10_000n * successes)
          expect(isOutside(BigInt(lowBps + 1))).to.be.false;
        if (BigInt(highBps - 1) * total >= 10_000n * successes)
          expect(isOutside(BigInt(highBps - 1))).to.be.false;
      }),
    );
  });

  it("does not depend on the unit of weight", () => {
    fc.assert(
      fc.property(tally, fc.bigInt({ min: 1n, max: 10n ** 30n }), ({ successes, total, squares }, unit) => {
        const scaled = { successes: successes * unit, total: total * unit, squares: squares * unit * unit };
        expect(rateOf(scaled)).to.deep.equal(rateOf({ successes, total, squares }));
      }),
    );
  });

  it("is never lowered, in no figure, by one more success", () => {
    fc.assert(
      fc.property(count, count, (successes, failures) => {
        const [before, after] = [counted(successes, failures), counted(successes + 1, failures)];
        expect(after.bps).to.be.at.least(before.bps ?? 0);
        expect(after.lowBps).to.be.at.least(before.lowBps);
        expect(after.highBps).to.be.at.least(before.highBps);
      }),
    );
  });

  it("has a wider interval for the same share of fewer agreements", () => {
    const width = ({ lowBps, highBps }: Rate): number => highBps - lowBps;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 50 }), (successes, failures) => {
        const few = counted(successes, failures);
        const many = counted(successes * 10, failures * 10);
        expect(width(few)).to.be.greaterThan(width(many));
        expect(few.bps).to.equal(many.bps);
      }),
    );
  });
});
