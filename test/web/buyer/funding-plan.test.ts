import { expect } from "chai";
import { fundingChoices, type FundingFacts } from "../../../web/src/buyer/funding-plan.ts";

const FACTS: FundingFacts = {
  reward: 10n,
  balance: 10n,
  allowance: 0n,
  gasMoney: 1n,
  hasCode: false,
  takesAuthorizations: true,
  takesPermits: true,
  cannotSign: false,
};
const open = (facts: Partial<FundingFacts> = {}): string[] =>
  fundingChoices({ ...FACTS, ...facts }).flatMap(({ way, closed }) => (closed === null ? [way] : []));

describe("ways to fund", () => {
  it("are all open to a plain account, one signature first", () => {
    expect(open()).to.deep.equal(["authorization", "permit", "approval"]);
  });

  it("leave approval to accounts that sign through code", () => {
    expect(open({ hasCode: true })).to.deep.equal(["approval"]);
  });

  it("leave approval to wallets that can't sign typed data", () => {
    expect(open({ cannotSign: true })).to.deep.equal(["approval"]);
  });

  it("are as many as the token takes", () => {
    expect(open({ takesAuthorizations: false })).to.deep.equal(["permit", "approval"]);
    expect(open({ takesAuthorizations: false, takesPermits: false })).to.deep.equal(["approval"]);
  });

  it("say why one is closed, after those that are open", () => {
    const choices = fundingChoices({ ...FACTS, hasCode: true });
    expect(choices[0]?.way).to.equal("approval");
    expect(choices[1]?.closed).to.include("smart account");
  });

  it("ask once only when the allowance is there already", () => {
    const asks = (allowance: bigint): string | undefined =>
      fundingChoices({ ...FACTS, allowance }).find(({ way }) => way === "approval")?.asks;
    expect(asks(9n)).to.include("asks twice");
    expect(asks(10n)).to.include("asks once");
  });
});
