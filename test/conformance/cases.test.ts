import { expect } from "chai";
import { allCases } from "../../scripts/genlayer-conformance/cases.ts";
import { compare } from "../../scripts/genlayer-conformance/compare.ts";
import { type OurSide, startOurSide } from "../../scripts/genlayer-conformance/ours.ts";

describe("conformance cases on our executor", function () {
  this.timeout(60_000);
  let ours: OurSide;

  before(async () => {
    ours = await startOurSide();
  });
  after(() => ours.stop());

  const cases = allCases();

  it("have names of their own", () => {
    expect(new Set(cases.map(({ id }) => id))).to.have.length(cases.length);
  });

  for (const item of cases) {
    it(item.id, async () => {
      const report = compare(item, await ours.observe(item), undefined);
      expect(report.oursAsExpected, JSON.stringify(report.steps, undefined, 1)).to.equal(true);
    });
  }
});
