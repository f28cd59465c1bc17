import type { Address } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { escrowDomain } from "../typed-data/domains.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";

/** EIP-712 type of the seller's consent. */
export const ACCEPTANCE_TYPES: { Acceptance: TypedDataField[] } = {
  Acceptance: [{ name: "agreementId", type: "bytes32" }],
};

/** What the seller signs to accept an agreement. */
export function acceptanceTypedData(agreementId: Hex, chainId: number, escrow: Address): TypedData {
  return {
    domain: escrowDomain(chainId, escrow),
    types: ACCEPTANCE_TYPES,
    primaryType: "Acceptance",
    message: { agreementId: toHash(agreementId) },
  };
}
