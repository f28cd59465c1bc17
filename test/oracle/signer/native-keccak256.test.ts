import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { keccak256 } from "ethers";
import { useNativeKeccak256 } from "../../../oracle/src/signer/index.ts";

describe("the native Keccak-256", () => {
  it("hashes what ethers' own hashes, across every length of its block, in a part of a buffer too", () => {
    const samples = [0, 1, 31, 32, 135, 136, 137, 271, 272, 273, 5_000].map((length) =>
      randomBytes(length + 8).subarray(3, 3 + length),
    );
    const own = (bytes: Uint8Array) => keccak256._(bytes);
    useNativeKeccak256();
    for (const bytes of samples) expect(keccak256(bytes)).to.equal(toHex(own(bytes)));
    expect(keccak256("0x")).to.equal("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  });
});

function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
