import { expect } from "chai";
import { ParsedDocuments } from "../../../oracle/src/documents/parsed.ts";
import { hash } from "../support/states.ts";

const document = (text: string) => ({ document: text, text });

describe("ParsedDocuments", () => {
  it("gives what was kept", () => {
    const parsed = new ParsedDocuments<string>();
    parsed.keep(hash(1), document("one"));
    expect(parsed.get(hash(1))).to.deep.equal(document("one"));
    expect(parsed.get(hash(2))).to.equal(null);
  });

  it("forgets what was not looked at for longest, beyond four million characters", () => {
    const parsed = new ParsedDocuments<string>();
    const million = "x".repeat(1_048_576);
    for (let byte = 1; byte <= 4; byte++) parsed.keep(hash(byte), document(million));
    parsed.get(hash(1));
    parsed.keep(hash(5), document(million));
    expect(parsed.get(hash(2))).to.equal(null);
    for (const byte of [1, 3, 4, 5]) expect(parsed.get(hash(byte)), `${byte}`).to.not.equal(null);
  });

  it("counts a document once, however often it is kept", () => {
    const parsed = new ParsedDocuments<string>();
    const million = "x".repeat(1_048_576);
    for (let time = 0; time < 10; time++) parsed.keep(hash(1), document(million));
    parsed.keep(hash(2), document(million));
    expect(parsed.get(hash(1))).to.not.equal(null);
  });
});
