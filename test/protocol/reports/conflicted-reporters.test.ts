import { expect } from "chai";
import { type Address, conflictedReporters } from "@assay/protocol";

const [buyer, seller, other]: Address[] = [
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  "0x976EA74026E726554dB657fA54763abd0C3a0aa9",
];

describe("conflictedReporters", () => {
  it("names the reporters who are a party, whatever the letter case", () => {
    const reporters = [
      { id: "a", address: buyer! },
      { id: "b", address: other! },
      { id: "c", address: seller! },
    ];
    const parties = { buyer: buyer!.toLowerCase() as Address, seller: seller! };
    expect(conflictedReporters({ reporters }, parties).map(({ id }) => id)).to.deep.equal(["a", "c"]);
  });

  it("names none when there are none", () => {
    expect(conflictedReporters({}, { buyer: buyer!, seller: seller! })).to.deep.equal([]);
  });
});
