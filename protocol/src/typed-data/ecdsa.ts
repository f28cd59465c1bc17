import { dataLength, dataSlice, isHexString, recoverAddress } from "ethers";
import { type Address, isSameAddress } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";

const ECDSA_BYTES = 65;
/** Half the order of secp256k1: above it, a signature has a twin. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * The externally owned account that signed the digest, by the contracts' rule: 65 bytes r, s and v, v 27 or 28, s in
 * the lower half of the curve's order. Null for any other bytes. Contracts as signers (ERC-1271) have to be asked.
 */
export function ecdsaSignerOf(digest: Hex, signature: string): Address | null {
  if (!isHexString(signature) || dataLength(signature) !== ECDSA_BYTES) return null;
  const s = BigInt(dataSlice(signature, 32, 64));
  const v = Number(dataSlice(signature, 64));
  if (s > HALF_ORDER || (v !== 27 && v !== 28)) return null;
  try {
    return recoverAddress(digest, signature) as Address;
  } catch {
    return null;
  }
}

/** Whether {@link ecdsaSignerOf} the digest is this account. */
export function isEcdsaSignedBy(signer: Address, digest: Hex, signature: string): boolean {
  const found = ecdsaSignerOf(digest, signature);
  return found !== null && isSameAddress(found, signer);
}
