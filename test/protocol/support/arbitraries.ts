import fc from "fast-check";
import { type Address, type Hex, type JsonValue, type Terms, toAddress } from "@assay/protocol";

const text = fc.string({ unit: "binary" });

/** Any JSON value that the protocol can carry, with keys that JavaScript objects inherit among its keys. */
export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger().map((integer) => (integer === 0 ? 0 : integer)),
    text,
    fc.array(tie("value"), { maxLength: 5 }),
    fc
      .uniqueArray(
        fc.tuple(fc.oneof(text, fc.constantFrom("__proto__", "constructor", "toString")), tie("value")),
        {
          maxLength: 5,
          selector: ([key]) => key,
        },
      )
      .map((members) => objectOf(members)),
  ),
})).value;

function objectOf(members: readonly (readonly [string, JsonValue])[]): JsonValue {
  const object = Object.create(null) as Record<string, JsonValue>;
  for (const [key, value] of members) object[key] = value;
  return object;
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`;

export const hash: fc.Arbitrary<Hex> = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hexOf);

export const address: fc.Arbitrary<Address> = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => toAddress(hexOf(bytes)));

/** Terms whose members fit their Solidity types; whether an escrow would take them is another matter. */
export const terms: fc.Arbitrary<Terms> = fc.record({
  buyer: address,
  seller: address,
  reward: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  agreementHash: hash,
  adjudicator: address,
  adjudicatorConfig: hash,
  deliverBy: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  adjudicateBy: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  noVerdictSellerBps: fc.integer({ min: 0, max: 2 ** 16 - 1 }),
  salt: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
});
