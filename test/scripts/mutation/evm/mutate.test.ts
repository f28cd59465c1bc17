import { expect } from "chai";
import { mutantsOf } from "../../../../scripts/mutation/evm/mutate.ts";
import { applyMutant, describe as inWords, keyOf } from "../../../../scripts/mutation/mutant.ts";

const SOURCE = `contract C {
    // if (a < b) revert Never();
    function f(uint256 a, uint256 b) external nonReentrant {
        if (a < b && b != 0) revert TooSmall(a, b);
        total = a + b; // a - b
    }
}`;

const mutants = mutantsOf("contracts-evm/C.sol", SOURCE);

describe("mutants of a source", () => {
  it("are one change each, on the line that it says", () => {
    expect(mutants.map(({ line, operator, after }) => [line, operator, after.trim()])).to.deep.equal([
      [3, "guard dropped", "function f(uint256 a, uint256 b) external {"],
      [4, "unequal to equal", "if (a < b && b == 0) revert TooSmall(a, b);"],
      [4, "less to less or equal", "if (a <= b && b != 0) revert TooSmall(a, b);"],
      [4, "and to or", "if (a < b || b != 0) revert TooSmall(a, b);"],
      [4, "statement dropped", ""],
      [5, "plus to minus", "total = a - b; // a - b"],
      [5, "statement dropped", ""],
    ]);
  });

  it("leave every other line as it is", () => {
    for (const mutant of mutants) {
      const changed = applyMutant(SOURCE, mutant).split("\n");
      const lines = SOURCE.split("\n");
      expect(changed).to.have.length(lines.length);
      expect(changed.filter((text, place) => text !== lines[place])).to.deep.equal([mutant.after]);
      expect(changed[mutant.line - 1]).to.equal(mutant.after);
    }
  });

  it("have keys of their own", () => {
    expect(new Set(mutants.map(keyOf)).size).to.equal(mutants.length);
  });

  it("are shown with the line before and after", () => {
    expect(inWords(mutants[5]!)).to.equal(
      "contracts-evm/C.sol:5 plus to minus\n    - total = a + b; // a - b\n    + total = a - b; // a - b",
    );
  });
});
