import { expect } from "chai";
import type { Case, Observation, Step } from "../../scripts/genlayer-conformance/case.ts";
import { alike, compare } from "../../scripts/genlayer-conformance/compare.ts";
import { failures, render, summarise } from "../../scripts/genlayer-conformance/report.ts";

const ONE: Observation = { return: 1 };
const TWO: Observation = { return: 2 };

function item(step: Partial<Step> = {}): Case {
  return { id: "a: case", source: "", needs: [], steps: [{ kind: "read", expect: ONE, ...step }] };
}

const KNOWN = item({ known: { ours: TWO, why: "Stricter here." } });

describe("comparing a case", () => {
  const table: [string, Case, Observation, Observation | undefined, string, boolean][] = [
    ["both as expected", item(), ONE, ONE, "same", false],
    ["ours is not", item(), TWO, ONE, "differs", true],
    ["the SDK is not", item(), ONE, TWO, "differs", true],
    ["both alike, but not as expected", item(), TWO, TWO, "same", true],
    ["a known difference", KNOWN, TWO, ONE, "known", false],
    ["a known difference that is gone", KNOWN, ONE, ONE, "same", true],
    ["another difference than the known one", KNOWN, { return: 3 }, ONE, "differs", true],
    ["no SDK", item(), ONE, undefined, "not compared", false],
    ["no SDK, and ours is not as expected", item(), TWO, undefined, "not compared", true],
  ];
  for (const [name, what, ours, official, status, fails] of table) {
    it(`${name}: ${status}${fails ? ", fails" : ""}`, () => {
      const report = compare(what, [ours], official === undefined ? undefined : { observed: [official] });
      expect(report.status).to.equal(status);
      expect(failures([report])).to.have.length(fails ? 1 : 0);
    });
  }

  it("counts what a host cannot show as such, never as the same", () => {
    const report = compare(item(), [ONE], { notShown: ["rollback"] });
    expect([report.status, report.why]).to.deep.equal(["not shown", ["needs rollback"]]);
    expect(summarise([report])).to.include({ same: 0, "not shown": 1 });
  });

  it("fails when the SDK's host breaks down", () => {
    expect(failures([compare(item(), [ONE], { failure: "killed" })])).to.have.length(1);
  });

  it("compares VM errors by kind, user errors by text, and votes", () => {
    expect(alike({ vmError: "a" }, { vmError: "b" })).to.equal(true);
    expect(alike({ vmError: "a" }, { userError: "a" })).to.equal(false);
    expect(alike({ userError: "a" }, { userError: "b" })).to.equal(false);
    expect(alike({ ...ONE, votes: ["agree"] }, { ...ONE, votes: ["disagree"] })).to.equal(false);
    expect(alike({ return: { a: 1, b: 2 } }, { return: { b: 2, a: 1 } })).to.equal(true);
  });

  it("shows both values of a difference, and says when nothing was compared", () => {
    const differing = [compare(item(), [TWO], { observed: [ONE] })];
    expect(render(differing, summarise(differing), { host: "entry", environment: "CPython" })).to.equal(
      `differs       a: case
              step 1  expected  1
                      ours      2
                      SDK       1

1 cases: 1 differs
Our side did not give what is expected in 1.
The SDK ran on CPython, host: entry.
`,
    );
    const alone = [compare(item(), [ONE], undefined)];
    expect(render(alone, summarise(alone), undefined)).to.contain("Nothing was compared");
  });
});
