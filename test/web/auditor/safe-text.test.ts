import { expect } from "chai";
import { excerptOf, piecesOf, webLink } from "../../../web/src/components/safe-text.ts";

describe("a stranger's text", () => {
  it("is shown whole when it is short", () => {
    expect(excerptOf("one\ntwo")).to.deep.equal({ text: "one\ntwo", left: null });
    expect(excerptOf("")).to.deep.equal({ text: "", left: null });
  });

  it("is cut after 200 lines, and tells how much is left", () => {
    const { text, left } = excerptOf("line\n".repeat(100_000));
    expect(text.split("\n")).to.have.length(201);
    expect(left).to.equal("499,000 characters");
  });

  it("is cut within a line that is too long", () => {
    const { text, left } = excerptOf("x".repeat(500_000));
    expect(text).to.have.length(20_000);
    expect(left).to.equal("480,000 characters");
  });
});

describe("the pieces of a long text", () => {
  it("are whole lines, and together the text", () => {
    const text = Array.from({ length: 1_001 }, (_unused, line) => `line ${line}`).join("\n");
    const pieces = piecesOf(text);
    expect(pieces.map(({ lines }) => lines)).to.deep.equal([200, 200, 200, 200, 200, 1]);
    expect(pieces.map((piece) => piece.text).join("\n")).to.equal(text);
  });

  it("keep empty lines, also at either end", () => {
    const text = `${"\n".repeat(200)}a\n`;
    expect(
      piecesOf(text)
        .map((piece) => piece.text)
        .join("\n"),
    ).to.equal(text);
  });

  it("of nothing are one without a character", () => {
    expect(piecesOf("")).to.deep.equal([{ text: "", lines: 1 }]);
  });
});

describe("a stranger's link", () => {
  for (const url of ["https://example.com/a?b=c#d", "http://example.com/"])
    it(`is one: ${url}`, () => {
      expect(webLink(url)).to.equal(url);
    });

  for (const url of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\u0001javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.com/1",
    "ftp://example.com/",
    "//example.com",
    "example.com",
    "https://user:password@example.com/",
    "https://bank.example@evil.example/",
    "",
  ])
    it(`is none: ${JSON.stringify(url)}`, () => {
      expect(webLink(url)).to.equal(null);
    });
});
