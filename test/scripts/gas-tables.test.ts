import { readFileSync } from "node:fs";
import { expect } from "chai";
import { PEERS, STEPS } from "../../scripts/gas/peers.ts";
import { measuredTable, peersTable, peersText, replacePart } from "../../scripts/gas/tables.ts";
import { BARS } from "../evm/support/gas-bars.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const snapshot = JSON.parse(read("test/evm/gas-snapshot.json")) as Record<string, number>;
const page = read("docs/gas.md");

describe("the tables of gas", () => {
  it("stand on the page as the snapshot and the figures of others make them", () => {
    expect(page).to.include(measuredTable(snapshot, BARS));
    expect(page).to.include(peersTable(snapshot));
  });

  it("are printed with every figure of every other project", () => {
    const text = peersText(snapshot);
    const figures = STEPS.flatMap((step) => PEERS.flatMap((peer) => step.peers[peer] ?? []));
    expect(figures).to.have.length.above(20);
    for (const { gas } of figures) expect(text).to.include(gas.toLocaleString("en-US"));
  });

  it("compare operations that are measured", () => {
    const operations = STEPS.flatMap((step) => step.ours.map(({ operation }) => operation));
    expect(operations).to.not.be.empty;
    expect(Object.keys(snapshot)).to.include.members(operations);
  });

  it("take the place of what stood between their marks, and of nothing else", () => {
    const before = "a\n<!-- x -->\n\nold\n\n<!-- /x -->\nb";
    const after = replacePart(before, "x", "new");
    expect(after).to.equal("a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb");
    expect(replacePart(after, "x", "new")).to.equal(after);
    expect(() => replacePart(before, "y", "new")).to.throw("between <!-- y --> and <!-- /y -->");
  });
});
