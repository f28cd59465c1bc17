import { expect } from "chai";
import { getBytes } from "ethers";
import fc from "fast-check";
import { bytesOf } from "@assay/protocol";

describe("bytes of hexadecimal text", () => {
  it("are those that ethers reads, in either letter case", () => {
    const text = fc
      .array(fc.constantFrom(...Array.from("0123456789abcdefABCDEF")), { maxLength: 200 })
      .map((digits) => `0x${digits.slice(digits.length % 2).join("")}`);
    fc.assert(
      fc.property(text, (hex) => {
        expect(bytesOf(hex)).to.deep.equal(getBytes(hex));
      }),
    );
  });

  it("are none of what is no such text, which is refused by name", () => {
    for (const text of ["", "0", "0x0", "12", "0xgg", "0x1", "0x12 4", "0x0\u{1F600}", "1x12", "0X12"])
      expect(() => bytesOf(text), text)
        .to.throw()
        .with.property("code", "hex_malformed");
  });
});
