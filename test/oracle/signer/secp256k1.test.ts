import { expect } from "chai";
import { Signature, SigningKey, computeAddress, keccak256, toBeHex } from "ethers";
import fc from "fast-check";
import type { Hex } from "@assay/protocol";
import { recoverSigner, signDigest } from "../../../oracle/src/signer/index.ts";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const key = fc.bigInt({ min: 1n, max: ORDER - 1n }).map((value) => toBeHex(value, 32));
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => keccak256(bytes));

describe("secp256k1", () => {
  it("signs the very bytes that ethers signs, for any key and digest", () => {
    fc.assert(
      fc.property(key, digest, (privateKey, hash) => {
        expect(signDigest(privateKey, hash).serialized).to.equal(
          new SigningKey(privateKey).sign(hash).serialized,
        );
      }),
      { numRuns: 40 },
    );
  });

  it("names the signer, of a signature in 65 bytes and in 64", () => {
    fc.assert(
      fc.property(key, digest, (privateKey, hash) => {
        const signature = new SigningKey(privateKey).sign(hash);
        const signer = computeAddress(privateKey);
        expect(recoverSigner(hash as Hex, signature.serialized as Hex)).to.equal(signer);
        expect(recoverSigner(hash as Hex, signature.compactSerialized as Hex)).to.equal(signer);
      }),
      { numRuns: 20 },
    );
  });

  it("names somebody else, or nobody, when a bit of the digest or of the signature is another", () => {
    const privateKey = toBeHex(7n, 32);
    const hash = keccak256("0x01");
    const { serialized } = new SigningKey(privateKey).sign(hash);
    const signer = computeAddress(privateKey);
    expect(recoverSigner(keccak256("0x02") as Hex, serialized as Hex)).not.to.equal(signer);
    for (let at = 2; at < 130; at += 9) {
      const flipped = (parseInt(serialized[at]!, 16) ^ 1).toString(16);
      const other = `${serialized.slice(0, at)}${flipped}${serialized.slice(at + 1)}`;
      expect(recoverSigner(hash as Hex, other as Hex), `digit ${at}`).not.to.equal(signer);
    }
  });

  for (const [what, signature] of [
    ["nothing", "0x"],
    ["too little", `0x${"11".repeat(63)}`],
    ["zeros", Signature.from({ r: toBeHex(0, 32), s: toBeHex(0, 32), yParity: 0 }).serialized],
    ["an r beyond the order", `${toBeHex(ORDER, 32)}${"11".repeat(32)}1b`],
  ] as const)
    it(`names nobody for ${what}`, () => {
      expect(recoverSigner(keccak256("0x01") as Hex, signature as Hex)).to.equal(null);
    });
});
