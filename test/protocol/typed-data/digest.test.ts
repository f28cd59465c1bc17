import { expect } from "chai";
import { TypedDataEncoder } from "ethers";
import fc from "fast-check";
import { typedDataDigest, type TypedData } from "../../../protocol/src/typed-data/typed-data.ts";

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => `0x${Buffer.from(value).toString("hex")}`);

const VALUES = {
  address: hex(20),
  bytes32: hex(32),
  uint8: fc.integer({ min: 0, max: 255 }),
  uint48: fc.bigInt(0n, 2n ** 48n - 1n),
  uint256: fc.bigInt(0n, 2n ** 256n - 1n),
  string: fc.string(),
  bool: fc.boolean(),
  "uint256[]": fc.array(fc.bigInt(0n, 2n ** 64n)),
} as const;
type TypeName = keyof typeof VALUES;

const typedData: fc.Arbitrary<TypedData> = fc
  .record({
    types: fc.array(fc.constantFrom(...(Object.keys(VALUES) as TypeName[])), { minLength: 1, maxLength: 12 }),
    chainId: fc.integer({ min: 1, max: 2 ** 31 }),
    contract: hex(20),
    version: fc.constantFrom("1", "2"),
  })
  .chain(({ types, chainId, contract, version }) =>
    fc.tuple(...types.map((type) => VALUES[type] as fc.Arbitrary<unknown>)).map((values) => ({
      domain: { name: "A domain", version, chainId, verifyingContract: contract as `0x${string}` },
      types: { Thing: types.map((type, index) => ({ name: `m${index}`, type })) },
      primaryType: "Thing",
      message: Object.fromEntries(values.map((value, index) => [`m${index}`, value])),
    })),
  );

const byEthers = ({ domain, types, message }: TypedData) => TypedDataEncoder.hash(domain, types, message);

describe("typedDataDigest", () => {
  it("is what ethers computes, for any domain, types and values", () => {
    fc.assert(
      fc.property(typedData, (data) => {
        expect(typedDataDigest(data)).to.equal(byEthers(data));
        // The second time its types and domain are known.
        expect(typedDataDigest(data)).to.equal(byEthers(data));
      }),
      { numRuns: 300 },
    );
  });

  it("refuses a value that does not fit its type, as ethers does", () => {
    const data = (type: string, value: unknown): TypedData => ({
      domain: { name: "A domain", version: "1", chainId: 1, verifyingContract: `0x${"11".repeat(20)}` },
      types: { Thing: [{ name: "member", type }] },
      primaryType: "Thing",
      message: { member: value },
    });
    for (const [type, value] of [
      ["uint8", 256],
      ["uint48", -1n],
      ["address", "0x12"],
      ["bytes32", `0x${"11".repeat(31)}`],
      ["bytes32", "z".repeat(66)],
    ] as const)
      expect(() => typedDataDigest(data(type, value)), type).to.throw();
  });
});
