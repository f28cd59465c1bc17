import { expect } from "chai";
import { subjectOf } from "../../../web/src/search/subject.ts";

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const HASH = `0x${"ab".repeat(32)}`;

describe("what is searched for", () => {
  for (const [what, text] of [
    ["an address", ADDRESS],
    ["one in small letters", ADDRESS.toLowerCase()],
    ["one without its 0x", ADDRESS.slice(2).toLowerCase()],
    ["one in a link, with spaces around", `  https://page.example/party/${ADDRESS}?network=base `],
  ] as const) {
    it(`${what} is a party`, () => {
      expect(subjectOf(text)).to.deep.equal({ kind: "party", address: ADDRESS });
    });
  }

  for (const [what, text] of [
    ["64 digits", HASH],
    ["capital digits", HASH.toUpperCase().replace("0X", "0x")],
    ["digits without their 0x", HASH.slice(2)],
    ["an agreement's link", `https://page.example/agreement/${HASH}#recompute`],
    ["the same hash twice", `${HASH} ${HASH}`],
  ] as const) {
    it(`${what} are a hash`, () => {
      expect(subjectOf(text)).to.deep.equal({ kind: "hash", hash: HASH });
    });
  }

  for (const [what, text, words] of [
    ["nothing", "   ", "Type or paste"],
    ["a few digits", "0x1234", "4 hexadecimal digits"],
    ["a word", "hello", "neither an address"],
    ["a wrong checksum", ADDRESS.replace("C8", "c8"), "mistyped"],
    ["two addresses", `${ADDRESS} 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC`, "more than one"],
    ["65 digits", `${HASH}a`, "65 hexadecimal digits"],
    ["markup", "<script>alert(1)</script>", "neither an address"],
  ] as const) {
    it(`${what} is told to be nothing that can be looked up`, () => {
      expect(subjectOf(text)).to.have.property("kind", "nothing");
      expect(subjectOf(text)).to.have.property("words").that.includes(words);
    });
  }
});
