import { dataLength, dataSlice, recoverAddress } from "ethers";
import { type Address, isSameAddress } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";

const ECDSA_BYTES = 65;
/** Half the order of secp256k1: above it, a signature has a twin. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Whether an externally owned account signed the digest, by the contracts' rule: 65 bytes r, s and v, v 27 or 28, s
 * in the lower half of the curve's order. Contracts as signers (ERC-1271) have to be asked.
 */
export function isEcdsaSignedBy(signer: Address, digest: Hex, signature: string): boolean {
  if (dataLength(signature) !== ECDSA_BYTES) return false;
  const s = BigInt(dataSlice(signature, 32, 64));
  const v = Number(dataSlice(signature, 64));
  if (s > HALF_ORDER || (v !== 27 && v !== 28)) return false;
  try {
    return isSameAddress(recoverAddress(digest, signature) as Address, signer);
  } catch {
    return false;
  }
}
