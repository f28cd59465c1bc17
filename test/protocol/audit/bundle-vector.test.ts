import { readFileSync } from "node:fs";
import { expect } from "chai";
import { audit, encodeBundle, parseBundle } from "@assay/protocol";
import { settledCase } from "./support/case.ts";

const VECTOR = new URL("../../vectors/bundle.json", import.meta.url);

describe("the bundle among the vectors", () => {
  it("is complete evidence of a made-up PASS, byte for byte", async () => {
    expect(readFileSync(VECTOR, "utf8")).to.equal(Buffer.from(encodeBundle(await settledCase())).toString());
  });

  it("passes every step", () => {
    expect(audit(parseBundle(readFileSync(VECTOR)))).to.include({ result: "PASS", failed: 0, notChecked: 0 });
  });
});
