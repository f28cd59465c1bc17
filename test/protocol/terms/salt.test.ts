import { expect } from "chai";
import { SALT_BITS, newSalt } from "@assay/protocol";

const DRAWS = 1_000;

describe("newSalt", () => {
  const salts = Array.from({ length: DRAWS }, newSalt);

  it("fits 64 bits", () => {
    expect(salts.every((salt) => salt >= 0n && salt < 1n << BigInt(SALT_BITS))).to.equal(true);
    expect(SALT_BITS).to.equal(64);
  });

  it("doesn't repeat", () => {
    expect(new Set(salts).size).to.equal(DRAWS);
  });

  it("draws every bit, now set and now clear", () => {
    for (let bit = 0n; bit < SALT_BITS; bit++) {
      const set = salts.filter((salt) => ((salt >> bit) & 1n) === 1n).length;
      expect(set, `bit ${bit}`).to.be.within(1, DRAWS - 1);
    }
  });
});
