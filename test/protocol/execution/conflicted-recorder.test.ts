import { type Address, hasConflictedRecorder } from "@assay/protocol";
import { expect } from "chai";

const BUYER: Address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SELLER: Address = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const THIRD: Address = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

describe("hasConflictedRecorder", () => {
  const parties = { buyer: BUYER, seller: SELLER };
  const recordedBy = (recorder: Address) => ({
    execution: { nonce: `0x${"00".repeat(32)}` as const, recorder, steps: [] },
  });

  it("finds a recorder who is a party, in any letter case", () => {
    expect(hasConflictedRecorder(recordedBy(BUYER), parties)).to.equal(true);
    expect(hasConflictedRecorder(recordedBy(SELLER.toLowerCase() as Address), parties)).to.equal(true);
  });
  it("has nothing against a third party, nor against an agreement without an execution", () => {
    expect(hasConflictedRecorder(recordedBy(THIRD), parties)).to.equal(false);
    expect(hasConflictedRecorder({}, parties)).to.equal(false);
  });
});
