import { AbiCoder, getBytes } from "ethers";
import { keccak256, type Address, type Hex } from "@assay/protocol";

/**
 * The place of a candidate in an order that everybody computes alike and that differs from agreement to agreement:
 * ascending keccak-256 of (agreement, candidate). Null when the candidate is not among them.
 */
export function rankOf(agreementId: Hex, candidate: Address, candidates: readonly Address[]): number | null {
  const weight = (address: Address) =>
    keccak256(getBytes(AbiCoder.defaultAbiCoder().encode(["bytes32", "address"], [agreementId, address])));
  if (!candidates.includes(candidate)) return null;
  const own = weight(candidate);
  return candidates.filter((other) => weight(other) < own).length;
}
