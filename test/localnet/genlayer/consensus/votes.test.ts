import { expect } from "chai";

import type { Vote } from "../../../../localnet/src/genlayer/consensus/names.ts";
import { type RunOutcome, tally, voteOn } from "../../../../localnet/src/genlayer/consensus/votes.ts";

const leader: RunOutcome = { kind: "return", data: "AA==", stateHash: "0x01" };
const own = { ...leader, validatorVotes: [true] };

describe("votes", () => {
  it("agree when run, value, storage and every ruling are the same", () => {
    expect(voteOn(leader, own)).to.equal("agree");
  });

  it("agree on an error that both ran into", () => {
    const error: RunOutcome = { kind: "user-error", data: "AA==", stateHash: null };
    expect(voteOn(error, { ...error, validatorVotes: [] })).to.equal("agree");
  });

  it("disagree when any ruling went against the leader, whatever else is the same", () => {
    expect(voteOn(leader, { ...own, validatorVotes: [true, false] })).to.equal("disagree");
  });

  it("call any other difference a deterministic violation", () => {
    for (const difference of [{ kind: "vm-error" }, { data: "AQ==" }, { stateHash: "0x02" }] as const) {
      expect(voteOn(leader, { ...own, ...difference })).to.equal("deterministic_violation");
    }
  });

  it("are timeouts or idle when the validator came to nothing itself", () => {
    expect(voteOn(leader, { ...own, kind: "timeout" })).to.equal("timeout");
    expect(voteOn(leader, { ...own, kind: "internal-error" })).to.equal("idle");
  });
});

describe("the tally", () => {
  const cases: readonly (readonly [string, readonly Vote[], string])[] = [
    ["nobody", [], "NO_MAJORITY"],
    ["exactly half agreeing", ["agree", "agree", "disagree", "timeout"], "NO_MAJORITY"],
    ["more than half agreeing", ["agree", "agree", "agree", "disagree", "timeout"], "MAJORITY_AGREE"],
    ["more than half timing out", ["agree", "agree", "timeout", "timeout", "timeout"], "TIMEOUT"],
    [
      "disagreement of every sort",
      ["agree", "agree", "disagree", "deterministic_violation", "idle"],
      "MAJORITY_DISAGREE",
    ],
  ];
  for (const [name, votes, result] of cases) {
    it(`of ${name} is ${result}`, () => {
      expect(tally(votes)).to.equal(result);
    });
  }
});
