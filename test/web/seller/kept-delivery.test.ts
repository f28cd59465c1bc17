import { expect } from "chai";
import type { Hex } from "@assay/protocol";
import { emptyDelivery, isEmptyDelivery, readKeptDelivery } from "../../../web/src/seller/delivery.ts";

const ID: Hex = `0x${"a".repeat(64)}`;
const OTHER: Hex = `0x${"b".repeat(64)}`;

describe("a delivery that was kept in the tab", () => {
  it("is what it was, half-written evidence and an unsigned output too", () => {
    const draft = {
      ...emptyDelivery(ID),
      files: { "a.ts": "b", ["__proto__"]: "c" },
      evidence: [{ source: "", claim: "half", content: "" }],
      output: { text: "mine", signature: "" },
    };
    expect(readKeptDelivery(JSON.stringify(draft), ID)).to.deep.equal(draft);
  });

  for (const [name, text] of Object.entries({
    nothing: null,
    "no JSON": "{",
    "no object": "1",
    "another agreement's": JSON.stringify(emptyDelivery(OTHER)),
    "a file that is no text": JSON.stringify({ ...emptyDelivery(ID), files: { a: 1 } }),
    "evidence that is none": JSON.stringify({ ...emptyDelivery(ID), evidence: [{ source: "a" }] }),
    "an output without a text": JSON.stringify({ ...emptyDelivery(ID), output: { signature: "0x" } }),
  }))
    it(`is not taken for one: ${name}`, () => {
      expect(readKeptDelivery(text, ID)).to.equal(null);
    });

  it("is empty until something is in it", () => {
    expect(isEmptyDelivery(emptyDelivery(ID))).to.equal(true);
    expect(isEmptyDelivery({ ...emptyDelivery(ID), output: { text: "", signature: "" } })).to.equal(true);
    expect(isEmptyDelivery({ ...emptyDelivery(ID), output: { text: "a", signature: "" } })).to.equal(false);
    expect(isEmptyDelivery({ ...emptyDelivery(ID), summary: "a" })).to.equal(false);
  });
});
