import { expect } from "chai";
import fc from "fast-check";
import { abi } from "genlayer-js";
import { CalldataAddress as JsAddress } from "genlayer-js/types";
import {
  CalldataAddress,
  CalldataError,
  type CalldataInput,
  type CalldataValue,
  decodeCalldata,
  encodeCalldata,
} from "../../../localnet/src/genlayer/calldata.ts";

const ADDRESS = new Uint8Array(20).fill(0x11);

/** Value, its encoding in hex, and what decoding gives back. */
const VECTORS: [string, CalldataInput, string, CalldataValue][] = [
  ["null", null, "00", null],
  ["false", false, "08", false],
  ["true", true, "10", true],
  ["31", 31, "f901", 31n],
  ["-1", -1, "02", -1n],
  ["2^64", 2n ** 64n, "81808080808080808010", 2n ** 64n],
  ["-2^64", -(2n ** 64n), "faffffffffffffffff0f", -(2n ** 64n)],
  ["é", "é", "14c3a9", "é"],
  ["PASS", "PASS", "2450415353", "PASS"],
  ["bytes 00ff", Uint8Array.of(0, 255), "1300ff", Uint8Array.of(0, 255)],
  ["[1, a]", [1, "a"], "15090c61", [1n, "a"]],
  ["{}", {}, "06", new Map()],
  [
    "{b: 1, a: 2}",
    { b: 1, a: 2 },
    "16016111016209",
    new Map([
      ["a", 2n],
      ["b", 1n],
    ]),
  ],
  [
    "{é: 1, z: 2}",
    { é: 1, z: 2 },
    "16017a1102c3a909",
    new Map([
      ["z", 2n],
      ["é", 1n],
    ]),
  ],
  ["an address", new CalldataAddress(ADDRESS), `18${"11".repeat(20)}`, new CalldataAddress(ADDRESS)],
  ["call get()", { method: "get" }, "0e066d6574686f641c676574", new Map([["method", "get"]])],
  [
    'call adjudicate("a1")',
    { method: "adjudicate", args: ["a1"] },
    "1604617267730d146131066d6574686f645461646a75646963617465",
    new Map<string, CalldataValue>([
      ["args", ["a1"]],
      ["method", "adjudicate"],
    ]),
  ],
  [
    'constructor("x", y=1)',
    { args: ["x"], kwargs: { y: 1 } },
    "1604617267730d0c78066b77617267730e017909",
    new Map<string, CalldataValue>([
      ["args", ["x"]],
      ["kwargs", new Map([["y", 1n]])],
    ]),
  ],
];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));

describe("calldata", () => {
  for (const [name, input, encoded, decoded] of VECTORS) {
    it(`encodes and decodes ${name}`, () => {
      expect(hex(encodeCalldata(input))).to.equal(encoded);
      expect(decodeCalldata(bytes(encoded))).to.deep.equal(decoded);
    });
  }

  it("encodes a Map as the plain object of the same entries", () => {
    expect(
      encodeCalldata(
        new Map([
          ["b", 1],
          ["a", 2],
        ]),
      ),
    ).to.deep.equal(encodeCalldata({ a: 2, b: 1 }));
  });

  it("agrees with genlayer-js on every value", () => {
    const leaf: fc.Arbitrary<CalldataInput> = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }),
      fc.string({ unit: "binary" }),
      fc.uint8Array({ maxLength: 20 }),
    );
    const nest = (item: fc.Arbitrary<CalldataInput>): fc.Arbitrary<CalldataInput> =>
      fc.oneof(
        item,
        fc.array(item, { maxLength: 4 }),
        fc
          .uniqueArray(fc.tuple(fc.string({ unit: "binary" }), item), {
            maxLength: 4,
            selector: ([key]) => key,
          })
          .map((entries): CalldataInput => Object.fromEntries(entries)),
      );
    fc.assert(
      fc.property(nest(nest(leaf)), (input) => {
        const encoded = encodeCalldata(input);
        expect(hex(encoded)).to.equal(hex(abi.calldata.encode(input as never)));
        const decoded: unknown = decodeCalldata(encoded);
        expect(encodeCalldata(decoded as never)).to.deep.equal(encoded);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("agrees with genlayer-js on an address", () => {
    expect(hex(abi.calldata.encode(new JsAddress(ADDRESS)))).to.equal(
      hex(encodeCalldata(new CalldataAddress(ADDRESS))),
    );
  });

  describe("encoding refuses", () => {
    const refused: [string, unknown, RegExp][] = [
      ["a fraction", 1.5, /no fractions/],
      ["an unsafe integer as number", 2 ** 53, /safe integer/],
      ["a lone surrogate", "\ud800", /surrogate/],
      ["a lone surrogate in a key", { "\udc00": 1 }, /surrogate/],
      ["a class instance", new Date(0), /class instance/],
      ["an object without a prototype", Object.create(null), /class instance/],
    ];
    for (const [name, input, reason] of refused) {
      it(name, () => {
        expect(() => encodeCalldata(input as CalldataInput)).to.throw(CalldataError, reason);
      });
    }

    it("nesting without end", () => {
      let deep: CalldataInput = [];
      for (let level = 0; level < 200; level++) deep = [deep];
      expect(() => encodeCalldata(deep)).to.throw(CalldataError, /nested/);
    });

    it("an address of 19 bytes", () => {
      expect(() => new CalldataAddress(new Uint8Array(19))).to.throw(CalldataError, /20 bytes/);
    });
  });

  describe("decoding refuses", () => {
    const refused: [string, string, RegExp][] = [
      ["trailing bytes", "0000", /left over/],
      ["nothing", "", /end in the middle/],
      ["unsorted keys", "16016209016111", /ascending/],
      ["a repeated key", "16016109016111", /ascending/],
      ["an unknown type", "07", /unknown type/],
      ["an unknown special value", "20", /unknown special/],
      ["a padded integer", "f98100", /padded/],
      ["a length beyond the end", "fc01", /beyond the end/],
      ["a count beyond the end", "fd7f", /beyond the end/],
      ["text that is not UTF-8", "0cff", /UTF-8/],
      ["a short address", "1811", /end in the middle/],
      ["nesting without end", "0d".repeat(300) + "00", /nested/],
    ];
    for (const [name, input, reason] of refused) {
      it(name, () => {
        expect(() => decodeCalldata(bytes(input))).to.throw(CalldataError, reason);
      });
    }
  });
});
