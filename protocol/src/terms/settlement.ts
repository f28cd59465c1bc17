import type { Address } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { toUint } from "../primitives/uint.ts";
import { escrowDomain } from "../typed-data/domains.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";

/** EIP-712 type of a settlement between the parties. */
export const SETTLEMENT_TYPES: { Settlement: TypedDataField[] } = {
  Settlement: [
    { name: "agreementId", type: "bytes32" },
    { name: "sellerAmount", type: "uint256" },
  ],
};

/**
 * What both sides sign to end an agreement by themselves.
 *
 * @param sellerAmount token base units for the seller; the rest of the reward goes back to the buyer.
 */
export function settlementTypedData(
  agreementId: Hex,
  sellerAmount: bigint,
  chainId: number,
  escrow: Address,
): TypedData {
  return {
    domain: escrowDomain(chainId, escrow),
    types: SETTLEMENT_TYPES,
    primaryType: "Settlement",
    message: { agreementId: toHash(agreementId), sellerAmount: toUint(sellerAmount, 256, "sellerAmount") },
  };
}
