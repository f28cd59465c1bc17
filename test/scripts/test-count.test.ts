import { expect } from "chai";
import { countTests } from "../../scripts/test-count.ts";

describe("countTests", () => {
  it("adds up what every runner of a suite reports, colours ignored", () => {
    const output = "\u001b[32m  12 passing\u001b[0m (1s)\n\n  3 passing (4ms)\n";
    expect(countTests(output, 0)).to.deep.equal({ passed: 15, failed: 0 });
  });

  it("counts failing tests", () => {
    expect(countTests("  2 passing (1s)\n  1 failing\n", 1)).to.deep.equal({ passed: 2, failed: 1 });
  });

  it("counts a skipped test as failed", () => {
    expect(countTests("  2 passing (1s)\n  1 pending\n", 0)).to.deep.equal({ passed: 2, failed: 1 });
  });

  it("counts a suite that ended badly without a failing test as one failure", () => {
    expect(countTests("  2 passing (1s)\n", 134)).to.deep.equal({ passed: 2, failed: 1 });
  });

  it("counts a suite that ran no test as one failure", () => {
    expect(countTests("", 0)).to.deep.equal({ passed: 0, failed: 1 });
  });
});
