import { keccak256, type Address, type Hex } from "@assay/protocol";

/**
 * The place of a candidate in an order that everybody computes alike and that differs from agreement to agreement:
 * ascending keccak-256 of (agreement, candidate). Null when the candidate is not among them.
 */
export function rankOf(agreementId: Hex, candidate: Address, candidates: readonly Address[]): number | null {
  // abi.encode(bytes32, address), by hand: this is asked at every look.
  const weight = (address: Address) =>
    keccak256(Buffer.from(agreementId.slice(2) + address.slice(2).padStart(64, "0"), "hex"));
  if (!candidates.includes(candidate)) return null;
  const own = weight(candidate);
  return candidates.filter((other) => weight(other) < own).length;
}
