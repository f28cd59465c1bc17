import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";
import { typedDataDigest } from "../typed-data/typed-data.ts";
import type { Terms } from "./terms.ts";
import { termsTypedData } from "./typed-data.ts";

/**
 * The agreement's id: EIP-712 digest of its terms in the escrow's domain. The same 32 bytes are the nonce that
 * pays (ERC-3009), what the seller accepts, and the key in the judge and the index.
 */
export function agreementIdOf(terms: Terms, chainId: number, escrow: Address): Hex {
  return typedDataDigest(termsTypedData(terms, chainId, escrow));
}
