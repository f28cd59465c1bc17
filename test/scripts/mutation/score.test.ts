import { expect } from "chai";
import type { Outcome } from "../../../scripts/mutation/journal.ts";
import type { Mutant } from "../../../scripts/mutation/mutant.ts";
import { isGood, scoreOf, type Result } from "../../../scripts/mutation/score.ts";

const result = (
  outcome: Outcome,
  line: number,
  more: { operator?: string; reason?: string } = {},
): Result => {
  const mutant: Mutant = { file: "A.sol", line, operator: more.operator ?? "x", before: "a", after: "b" };
  return { mutant, entry: { mutant: String(line), outcome, basis: "" }, reason: more.reason };
};
const lines = (mutants: readonly Mutant[]): number[] => mutants.map(({ line }) => line);

describe("the score of mutants", () => {
  it("is killed of tested; what is equivalent or doesn't compile counts on neither side", () => {
    const outcomes: Outcome[] = ["killed", "timed out", "killed", "survived", "equivalent", "invalid"];
    const score = scoreOf(outcomes.map((outcome, index) => result(outcome, index)));
    expect(score).to.include({ tested: 4, killed: 3, equivalent: 1, invalid: 1, percent: 75 });
    expect([lines(score.timedOut), lines(score.survivors)]).to.deep.equal([[1], [3]]);
  });

  it("leaves out survivors that change nothing for a reason, and tells when a test noticed one", () => {
    const score = scoreOf([
      result("killed", 0),
      result("survived", 1, { reason: "never read" }),
      result("killed", 2, { reason: "never read" }),
    ]);
    expect(score).to.include({ tested: 2, killed: 2, percent: 100 });
    expect(score.documented.map(({ mutant, reason }) => [mutant.line, reason])).to.deep.equal([
      [1, "never read"],
    ]);
    expect(lines(score.wronglyDocumented)).to.deep.equal([2]);
    expect(isGood(score)).to.equal(false);
  });

  it("is not good below 95 of a hundred, or when one that has a name survives", () => {
    const killed = Array.from({ length: 99 }, (_, line) => result("killed", line));
    const survived = (count: number) => Array.from({ length: count }, (_, line) => result("survived", line));
    expect(isGood(scoreOf([...killed, ...survived(5)]))).to.equal(true);
    expect(isGood(scoreOf([...killed, ...survived(6)]))).to.equal(false);
    const named = scoreOf([...killed, result("survived", 0, { operator: "named: consent" })]);
    expect(named.named).to.deep.equal({ tested: 1, killed: 0 });
    expect(isGood(named)).to.equal(false);
  });

  it("is 100 % of nothing", () => {
    expect(scoreOf([]).percent).to.equal(100);
  });
});
