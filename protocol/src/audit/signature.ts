import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";
import { isEcdsaSignedBy } from "../typed-data/ecdsa.ts";
import type { Certificate } from "../verdict/delivery.ts";
import type { Evidence } from "./evidence.ts";

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
