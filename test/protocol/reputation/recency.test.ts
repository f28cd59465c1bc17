import { expect } from "chai";
import fc from "fast-check";
import { FULL_WEIGHT, HALF_LIFE_SECONDS, recencyWeight } from "@assay/protocol";

describe("recencyWeight", () => {
  it("halves with each half-life of 90 days", () => {
    expect(HALF_LIFE_SECONDS).to.equal(7_776_000);
    expect([0, 1, 2, 10].map((lives) => recencyWeight(lives * HALF_LIFE_SECONDS))).to.deep.equal([
      ...[1_000_000_000n, 500_000_000n, 250_000_000n, 976_562n],
    ]);
  });

  it("lies on a straight line between", () => {
    expect([45, 60, 135].map((days) => recencyWeight(days * 86_400))).to.deep.equal([
      ...[750_000_000n, 666_666_666n, 375_000_000n],
    ]);
    expect(recencyWeight(1)).to.equal(999_999_935n);
  });

  it("is whole for what has only just happened, or is said to happen later", () => {
    expect(recencyWeight(-5)).to.equal(FULL_WEIGHT);
  });

  it("is nothing after 30 half-lives, and for ever", () => {
    expect(recencyWeight(29 * HALF_LIFE_SECONDS)).to.equal(1n);
    expect(recencyWeight(30 * HALF_LIFE_SECONDS)).to.equal(0n);
    expect(recencyWeight(Number.MAX_SAFE_INTEGER)).to.equal(0n);
  });

  it("never grows with age, and stays within 7 % of the exponential", () => {
    const age = fc.integer({ min: 0, max: 10 * HALF_LIFE_SECONDS });
    fc.assert(
      fc.property(age, fc.nat(1_000_000), (seconds, more) => {
        const weight = recencyWeight(seconds);
        expect(recencyWeight(seconds + more) <= weight).to.be.true;
        const exponential = 2 ** (-seconds / HALF_LIFE_SECONDS) * 1e9;
        expect(Number(weight) / exponential).to.be.within(0.999_99, 1.07);
      }),
    );
  });
});
