import { expect } from "chai";
import { drawn, spread } from "../../../scripts/mutation/sample.ts";

const ITEMS = Array.from({ length: 100 }, (_, index) => index);

describe("a sample of mutants", () => {
  it("is spread over all of them", () => {
    expect(spread(ITEMS, 4)).to.deep.equal([0, 25, 50, 75]);
    expect(spread(ITEMS, 1000)).to.deep.equal(ITEMS);
  });

  it("is the same for the same seed, in order, and another for another", () => {
    expect(drawn(ITEMS, 10, 1)).to.deep.equal(drawn(ITEMS, 10, 1));
    expect(drawn(ITEMS, 10, 1)).to.not.deep.equal(drawn(ITEMS, 10, 2));
    expect(drawn(ITEMS, 10, 1)).to.deep.equal([...drawn(ITEMS, 10, 1)].sort((one, other) => one - other));
  });

  it("grows: a larger one of the same seed holds the smaller", () => {
    expect(drawn(ITEMS, 40, 1)).to.include.members(drawn(ITEMS, 10, 1));
    expect(drawn(ITEMS, 1000, 1)).to.deep.equal(ITEMS);
  });
});
