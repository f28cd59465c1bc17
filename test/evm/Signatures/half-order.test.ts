import { expect } from "chai";
import { concat, recoverAddress, toBeHex, Wallet } from "ethers";
import { ethers, JUDGE_TX } from "../support/world.ts";

/** Half the order of secp256k1, rounded down: the largest s that counts. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

describe("Signatures: the bound of s", () => {
  for (const [above, counts] of [
    [0n, true],
    [1n, false],
  ] as const) {
    it(`${counts ? "counts" : "doesn't count"} a signature whose s is ${above} above half the order`, async () => {
      const signatures = await ethers.deployContract("ExposedSignatures");
      // Every r and s are the signature of some account over a digest; only its key is unknown
      const { r } = new Wallet(JUDGE_TX).signingKey.sign(JUDGE_TX);
      const s = toBeHex(HALF_ORDER + above, 32);
      const signer = recoverAddress(JUDGE_TX, { r, s, v: 27 });
      expect(await signatures.isSignedBy(signer, JUDGE_TX, concat([r, s, "0x1b"]))).to.equal(counts);
    });
  }
});
