import { dataLength, dataSlice, recoverAddress } from "ethers";
import { type Address, isSameAddress } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";
import type { Certificate } from "../verdict/delivery.ts";
import type { Evidence } from "./evidence.ts";

const ECDSA_BYTES = 65;
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Whether an externally owned account signed the digest, by the contracts' rule: 65 bytes r, s and v, v 27 or 28, s
 * in the lower half of the curve's order. Contracts as signers (ERC-1271) have to be asked.
 */
export function isEcdsaSignedBy(signer: Address, digest: Hex, signature: Hex): boolean {
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

/** A member of the quorum whose signature counts. */
export interface Signer {
  readonly member: Address;
  /** `contract`: by ERC-1271, as the contract itself answered. */
  readonly by: "key" | "contract";
}

/** The members who signed the digest, in the quorum's order. */
export function signersOf(
  { members, signatures }: Certificate,
  digest: Hex,
  answers: Evidence["evm"]["contractSignatures"],
): Signer[] {
  return members.flatMap((member, index): Signer[] => {
    const signature = signatures[index] ?? "0x";
    if (isEcdsaSignedBy(member, digest, signature)) return [{ member, by: "key" }];
    const isVouchedFor = answers.some(
      (answer) =>
        answer.valid &&
        answer.signer === member &&
        answer.digest === digest &&
        answer.signature === signature,
    );
    return isVouchedFor && signature !== "0x" ? [{ member, by: "contract" }] : [];
  });
}
