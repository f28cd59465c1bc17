import type { Address } from "../primitives/address.ts";
import { escrowDomain } from "../typed-data/domains.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";
import type { Terms } from "./terms.ts";
import { toTermsStruct } from "./terms-struct.ts";

/** EIP-712 type of the terms. */
export const TERMS_TYPES: { Terms: TypedDataField[] } = {
  Terms: [
    { name: "buyer", type: "address" },
    { name: "seller", type: "address" },
    { name: "reward", type: "uint256" },
    { name: "agreementHash", type: "bytes32" },
    { name: "adjudicator", type: "address" },
    { name: "adjudicatorConfig", type: "bytes32" },
    { name: "deliverBy", type: "uint48" },
    { name: "adjudicateBy", type: "uint48" },
    { name: "noVerdictSellerBps", type: "uint16" },
    { name: "salt", type: "uint256" },
  ],
};

/**
 * The terms in the escrow's domain. Nobody signs them as such: their digest is the agreement's id.
 *
 * @throws ValueError when a member does not fit its Solidity type.
 */
export function termsTypedData(terms: Terms, chainId: number, escrow: Address): TypedData {
  return {
    domain: escrowDomain(chainId, escrow),
    types: TERMS_TYPES,
    primaryType: "Terms",
    message: { ...toTermsStruct(terms) },
  };
}
