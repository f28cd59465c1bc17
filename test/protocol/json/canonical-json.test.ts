import { createHash } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import { CanonicalJsonError, canonicalize, parseStrict } from "@assay/protocol";
import { jsonValue } from "../support/arbitraries.ts";
import { refusalOf } from "../support/refusal.ts";
import { canonicalJsonVectors } from "../support/vectors.ts";

describe("canonical JSON", () => {
  describe("accepts and canonicalises", () => {
    for (const { name, input, canonical, sha256 } of canonicalJsonVectors.accepted) {
      it(name, () => {
        expect(canonicalize(parseStrict(input))).to.equal(canonical);
        expect(canonicalize(parseStrict(Buffer.from(input, "utf8")))).to.equal(canonical);
        expect(`0x${createHash("sha256").update(canonical, "utf8").digest("hex")}`).to.equal(sha256);
      });
    }
  });

  describe("refuses", () => {
    for (const { name, code, input, inputHex } of canonicalJsonVectors.refused) {
      it(`${name}: ${code}`, () => {
        const bytes = inputHex === undefined ? Buffer.from(input!, "utf8") : Buffer.from(inputHex, "hex");
        const refusal = refusalOf(CanonicalJsonError, () => parseStrict(bytes));
        expect(refusal.code).to.equal(code);
        expect(refusal.hint).to.not.equal("");
        if (input !== undefined)
          expect(refusalOf(CanonicalJsonError, () => parseStrict(input)).code).to.equal(code);
      });
    }
  });

  describe("laws", () => {
    it("parsing a canonical text gives the value back", () => {
      fc.assert(
        fc.property(jsonValue, (value) => {
          expect(parseStrict(canonicalize(value))).to.deep.equal(value);
          expect(parseStrict(Buffer.from(canonicalize(value)))).to.deep.equal(value);
        }),
      );
    });

    it("white space does not matter", () => {
      fc.assert(
        fc.property(jsonValue, fc.constantFrom(" ", "\t", "\n", "   "), (value, space) => {
          expect(canonicalize(parseStrict(JSON.stringify(value, null, space)))).to.equal(canonicalize(value));
        }),
      );
    });

    it("the order in which members were written does not matter", () => {
      fc.assert(
        fc.property(
          fc.dictionary(fc.string({ unit: "binary" }), fc.nat(), { noNullPrototype: false }),
          (object) => {
            const reversed = Object.create(null) as Record<string, number>;
            for (const [key, value] of Object.entries(object).reverse()) reversed[key] = value;
            expect(canonicalize(reversed)).to.equal(canonicalize(object));
          },
        ),
      );
    });

    it("keys are in ascending order of their UTF-16 big-endian bytes", () => {
      const byBytes = (one: string, other: string) =>
        Buffer.compare(utf16BigEndian(one), utf16BigEndian(other));
      fc.assert(
        fc.property(fc.uniqueArray(fc.string({ unit: "binary" })), (keys) => {
          const object = Object.create(null) as Record<string, number>;
          for (const key of keys) object[key] = 0;
          const members = keys.toSorted(byBytes).map((key) => `${JSON.stringify(key)}:0`);
          expect(canonicalize(object)).to.equal(`{${members.join(",")}}`);
        }),
      );
    });

    it("what it accepts, JSON.parse reads alike; what JSON.parse refuses, it refuses", () => {
      const fragment = fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "\\",
        "a",
        "u0041",
        "1",
        "-",
        "0",
        ".",
        "e",
        "true",
        "null",
        " ",
        "\n",
      );
      fc.assert(
        fc.property(
          fc.array(fragment, { maxLength: 12 }).map((fragments) => fragments.join("")),
          (text) => {
            const strict = attempt(() => canonicalize(parseStrict(text)));
            if (strict !== undefined) expect(JSON.parse(strict)).to.deep.equal(JSON.parse(text));
          },
        ),
        { numRuns: 2000 },
      );
    });
  });
});

function utf16BigEndian(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
