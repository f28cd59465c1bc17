import { expect } from "chai";
import type { Outcome } from "../../../scripts/mutation/journal.ts";
import type { Mutant } from "../../../scripts/mutation/mutant.ts";
import { scoreOf } from "../../../scripts/mutation/score.ts";

const result = (outcome: Outcome, line: number) => {
  const mutant: Mutant = { file: "A.sol", line, operator: "x", before: "a", after: "b" };
  return { mutant, entry: { mutant: String(line), outcome, basis: "" } };
};

describe("the score of mutants", () => {
  it("is killed of tested; what is equivalent or doesn't compile counts on neither side", () => {
    const outcomes: Outcome[] = ["killed", "timed out", "killed", "survived", "equivalent", "invalid"];
    const score = scoreOf(outcomes.map(result));
    expect({ ...score, survivors: score.survivors.map(({ line }) => line) }).to.deep.equal({
      tested: 4,
      killed: 3,
      timedOut: 1,
      equivalent: 1,
      invalid: 1,
      percent: 75,
      survivors: [3],
    });
  });

  it("is 100 % of nothing", () => {
    expect(scoreOf([]).percent).to.equal(100);
  });
});
