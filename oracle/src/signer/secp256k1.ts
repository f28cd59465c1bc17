import { createRequire } from "node:module";
import { Signature, SigningKey, recoverAddress } from "ethers";
import { bytesOf, keccak256, toAddress, type Address, type Hex } from "@assay/protocol";

type Native = Pick<typeof import("secp256k1"), "ecdsaSign" | "ecdsaRecover">;

/**
 * libsecp256k1, where this machine has a build of it; its JavaScript stand-in is not wanted. Without it ethers signs: the
 * same bytes (RFC 6979), eight times slower, and thirty times slower at recovering a signer.
 */
const native = load();

function load(): Native | null {
  try {
    return createRequire(import.meta.url)("secp256k1/bindings.js") as Native;
  } catch {
    return null;
  }
}

/** Signs 32 bytes, deterministically and with a low s. @param privateKey 32 bytes, 0x-prefixed. */
export function signDigest(privateKey: string, digest: string): Signature {
  if (native === null) return new SigningKey(privateKey).sign(digest);
  const { signature, recid } = native.ecdsaSign(bytesOf(digest), bytesOf(privateKey));
  const half = (from: number) => `0x${Buffer.from(signature.subarray(from, from + 32)).toString("hex")}`;
  return Signature.from({ r: half(0), s: half(32), yParity: recid === 1 ? 1 : 0 });
}

/** Who signed 32 bytes; null when it is no signature. @param signature 65 bytes, or 64 as of EIP-2098. */
export function recoverSigner(digest: Hex, signature: Hex): Address | null {
  try {
    if (native === null) return toAddress(recoverAddress(digest, signature));
    const { r, s, yParity } = Signature.from(signature);
    const compact = Buffer.from(r.slice(2) + s.slice(2), "hex");
    const publicKey = native.ecdsaRecover(compact, yParity, bytesOf(digest), false);
    return toAddress(`0x${keccak256(publicKey.subarray(1)).slice(-40)}`);
  } catch {
    return null;
  }
}
