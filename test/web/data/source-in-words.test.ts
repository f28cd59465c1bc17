import { expect } from "chai";
import { sourceInWords } from "../../../web/src/data/source-in-words.ts";

const block = { number: 7, hash: "0x", timestamp: 1 } as const;

describe("who answered, in words", () => {
  it("names the index and its block", () => {
    expect(sourceInWords({ source: "graph", sourceReason: "graph", block })).to.deep.equal({
      text: "Read from the index at block 7",
      trouble: null,
    });
  });

  for (const reason of ["graph_not_configured", "graph_cannot_tell"] as const) {
    it(`${reason} is no trouble`, () => {
      expect(sourceInWords({ source: "chain", sourceReason: reason, block }).trouble).to.equal(null);
    });
  }

  for (const [reason, words] of [
    ["graph_behind", "behind the chain"],
    ["graph_off_chain", "took back"],
    ["graph_indexing_errors", "has stopped"],
    ["graph_failed", "gives no answer"],
  ] as const) {
    it(`${reason} is told, with who was asked instead`, () => {
      const { trouble } = sourceInWords({ source: "operator", sourceReason: reason, block });
      expect(trouble?.title).to.include(words);
      expect(trouble?.hint).to.include("an operator's own store");
    });
  }
});
