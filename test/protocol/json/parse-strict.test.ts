import { expect } from "chai";
import { CanonicalJsonError, type JsonObject, MAX_DEPTH, parseStrict } from "@assay/protocol";
import { refusalOf } from "../support/refusal.ts";

describe("parseStrict", () => {
  it("tells the line and column of an error", () => {
    const { position, message } = refusalOf(CanonicalJsonError, () =>
      parseStrict('{\n  "a": 1,\n  "a": 2\n}'),
    );
    expect(position).to.deep.equal({ offset: 14, line: 3, column: 3 });
    expect(message).to.equal('line 3, column 3: the key "a" occurs twice');
  });

  it("points to the start of a bad number, string and escape", () => {
    const offsetOf = (text: string) =>
      refusalOf(CanonicalJsonError, () => parseStrict(text)).position?.offset;
    expect(offsetOf("[10, 2.5]")).to.equal(5);
    expect(offsetOf('["ok", "\\ud800"]')).to.equal(7);
    expect(offsetOf('["ab\\q"]')).to.equal(4);
  });

  it("points behind the text when it ends too early", () => {
    expect(refusalOf(CanonicalJsonError, () => parseStrict("[1,")).position).to.deep.equal({
      offset: 3,
      line: 1,
      column: 4,
    });
  });

  it("gives no position for bytes that are no text", () => {
    expect(refusalOf(CanonicalJsonError, () => parseStrict(Uint8Array.of(0xff))).position).to.equal(
      undefined,
    );
  });

  it("returns objects in which inherited names are absent", () => {
    const object = parseStrict("{}") as JsonObject;
    expect(object["constructor"]).to.equal(undefined);
    expect("toString" in object).to.equal(false);
  });

  it("keeps __proto__ a member like any other", () => {
    const object = parseStrict('{"__proto__":{"isAdmin":true}}') as JsonObject;
    expect(Object.keys(object)).to.deep.equal(["__proto__"]);
    expect(object["isAdmin"]).to.equal(undefined);
    expect(({} as Record<string, unknown>)["isAdmin"]).to.equal(undefined);
  });

  it("refuses a raw lone surrogate in a text", () => {
    expect(refusalOf(CanonicalJsonError, () => parseStrict('["\ud800"]')).code).to.equal("lone_surrogate");
  });

  it("keeps a byte order mark inside a string", () => {
    expect(parseStrict(Buffer.from('"\ufeff"'))).to.equal("\ufeff");
  });

  it(`reads ${MAX_DEPTH} levels of mixed nesting`, () => {
    const text = '{"a":['.repeat(MAX_DEPTH / 2) + "]}".repeat(MAX_DEPTH / 2);
    expect(() => parseStrict(text)).to.not.throw();
  });

  it("refuses endless nesting without exhausting the stack", () => {
    expect(refusalOf(CanonicalJsonError, () => parseStrict("[".repeat(500_000))).code).to.equal("too_deep");
  });
});
