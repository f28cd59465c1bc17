import { expect } from "chai";
import fc from "fast-check";
import { type Address, ValueError, ZERO_ADDRESS, adjudicatorConfigOf } from "@assay/protocol";
import { address } from "../support/arbitraries.ts";
import { adjudicatorConfigByHand } from "../support/by-hand.ts";
import { refusalOf } from "../support/refusal.ts";
import { identifierVectors } from "../support/vectors.ts";

const ascending = (one: Address, other: Address): number => (BigInt(one) < BigInt(other) ? -1 : 1);
const LOW: Address = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const HIGH: Address = "0x976EA74026E726554dB657fA54763abd0C3a0aa9";

describe("adjudicatorConfigOf", () => {
  for (const { members, threshold, adjudicatorConfig } of identifierVectors.adjudicatorConfigs) {
    it(`gives the vector's hash for ${threshold} of ${members.length}`, () => {
      expect(adjudicatorConfigOf(members, threshold)).to.equal(adjudicatorConfig);
      expect(adjudicatorConfigByHand(members, threshold)).to.equal(adjudicatorConfig);
    });
  }

  it("equals the hash written out by hand for any set", () => {
    const sets = fc
      .uniqueArray(address, { minLength: 1, maxLength: 9 })
      .map((members) => members.toSorted(ascending))
      .chain((members) => fc.tuple(fc.constant(members), fc.integer({ min: 1, max: members.length })));
    fc.assert(
      fc.property(sets, ([members, threshold]) => {
        expect(adjudicatorConfigOf(members, threshold)).to.equal(adjudicatorConfigByHand(members, threshold));
      }),
    );
  });

  it("does not depend on letter case", () => {
    const lower = [LOW, HIGH].map((member) => member.toLowerCase() as Address);
    expect(adjudicatorConfigOf(lower, 2)).to.equal(adjudicatorConfigOf([LOW, HIGH], 2));
  });

  const refused: readonly [name: string, members: readonly Address[], threshold: number, code: string][] = [
    ["no members", [], 1, "quorum_empty"],
    ["a zero member", [ZERO_ADDRESS, LOW], 1, "quorum_zero_member"],
    ["descending members", [HIGH, LOW], 1, "quorum_unsorted"],
    ["a member twice", [LOW, LOW], 1, "quorum_duplicate_member"],
    ["a member twice in two letter cases", [LOW, LOW.toLowerCase() as Address], 1, "quorum_duplicate_member"],
    ["threshold zero", [LOW, HIGH], 0, "quorum_threshold_out_of_range"],
    ["a threshold above all", [LOW, HIGH], 3, "quorum_threshold_out_of_range"],
    ["a threshold that is no integer", [LOW, HIGH], 1.5, "quorum_threshold_out_of_range"],
    ["a member that is no address", ["0x12"], 1, "address_malformed"],
  ];
  for (const [name, members, threshold, code] of refused) {
    it(`refuses ${name}`, () => {
      expect(refusalOf(ValueError, () => adjudicatorConfigOf(members, threshold)).code).to.equal(code);
    });
  }
});
