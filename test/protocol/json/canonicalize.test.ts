import { expect } from "chai";
import { CanonicalJsonError, MAX_DEPTH, canonicalize } from "@assay/protocol";
import { refusalOf } from "../support/refusal.ts";

describe("canonicalize", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const sparse: unknown[] = [];
  sparse[1] = 0;

  const refused: readonly [name: string, value: unknown, code: string, path: string][] = [
    ["undefined", undefined, "not_json", ""],
    ["an undefined member", { a: { b: undefined } }, "not_json", "a.b"],
    ["a bigint", [1n], "not_json", "[0]"],
    ["a function", { f: () => 0 }, "not_json", "f"],
    ["a symbol", [Symbol("s")], "not_json", "[0]"],
    ["a symbol as key", { [Symbol("s")]: 1 }, "not_json", ""],
    ["a date, which JSON.stringify converts", { at: new Date(0) }, "not_json", "at"],
    ["a map, which JSON.stringify empties", new Map([["a", 1]]), "not_json", ""],
    ["bytes", Uint8Array.of(1), "not_json", ""],
    ["a hole in an array", sparse, "not_json", "[0]"],
    ["NaN", { "a b": Number.NaN }, "number_not_integer", '["a b"]'],
    ["infinity", [Number.POSITIVE_INFINITY], "number_not_integer", "[0]"],
    ["a fraction", 0.5, "number_not_integer", ""],
    ["2^53", 2 ** 53, "number_out_of_range", ""],
    ["negative zero", [-0], "negative_zero", "[0]"],
    ["a lone surrogate", ["\ud800"], "lone_surrogate", "[0]"],
    ["a lone surrogate in a key", { "\udc00": 1 }, "lone_surrogate", '["\\udc00"]'],
  ];
  for (const [name, value, code, path] of refused) {
    it(`refuses ${name}`, () => {
      const refusal = refusalOf(CanonicalJsonError, () => canonicalize(value));
      expect({ code: refusal.code, path: refusal.path }).to.deep.equal({ code, path });
    });
  }

  it("refuses a value that contains itself", () => {
    expect(refusalOf(CanonicalJsonError, () => canonicalize(circular)).code).to.equal("too_deep");
  });

  it(`serialises ${MAX_DEPTH} levels`, () => {
    const nested = Array.from({ length: MAX_DEPTH - 1 }).reduce<unknown>((inner) => [inner], []);
    expect(canonicalize(nested)).to.equal("[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH));
    expect(refusalOf(CanonicalJsonError, () => canonicalize([nested])).code).to.equal("too_deep");
  });

  it("ignores toJSON, which would let a value lie about itself", () => {
    expect(refusalOf(CanonicalJsonError, () => canonicalize({ a: 1, toJSON: () => ({}) })).path).to.equal(
      "toJSON",
    );
  });

  it("orders by code unit where localeCompare would not", () => {
    expect(canonicalize({ ä: 1, z: 2, a: 3, B: 4 })).to.equal('{"B":4,"a":3,"z":2,"ä":1}');
  });
});
