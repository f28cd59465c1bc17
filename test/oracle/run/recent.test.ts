import { expect } from "chai";
import { Recent, recentOf } from "../../../oracle/src/run/recent.ts";

describe("recently used values", () => {
  it("forget the least lately used first", () => {
    const recent = new Recent<number>(2);
    recent.keep("one", 1);
    recent.keep("two", 2);
    expect(recent.get("one")).to.equal(1);
    recent.keep("three", 3);
    expect(["one", "two", "three"].map((name) => recent.get(name))).to.deep.equal([1, null, 3]);
  });

  it("are not shared by two services", () => {
    const values = recentOf<string>(8);
    const [one, other] = [{}, {}];
    values(one).keep("name", "of one");
    expect(values(one).get("name")).to.equal("of one");
    expect(values(other).get("name")).to.equal(null);
  });
});
