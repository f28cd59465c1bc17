import { toAddress } from "../primitives/address.ts";
import { toHash } from "../primitives/hex.ts";
import { toUint } from "../primitives/uint.ts";
import type { Terms } from "./terms.ts";

/** Terms as ABI codecs take them and hand them out: every integer a bigint. Ethers' decoded tuples have this shape. */
export interface TermsStruct {
  readonly buyer: string;
  readonly seller: string;
  readonly reward: bigint;
  readonly agreementHash: string;
  readonly adjudicator: string;
  readonly adjudicatorConfig: string;
  readonly deliverBy: bigint;
  readonly adjudicateBy: bigint;
  readonly noVerdictSellerBps: bigint;
  readonly salt: bigint;
}

/**
 * Terms for the argument `terms` of the escrow's functions, and for their digest.
 *
 * @throws ValueError when a member does not fit its Solidity type. Whether the escrow would take the terms is
 * for `validateTerms` to say.
 */
export function toTermsStruct(terms: Terms): TermsStruct {
  return {
    buyer: toAddress(terms.buyer),
    seller: toAddress(terms.seller),
    reward: toUint(terms.reward, 256, "reward"),
    agreementHash: toHash(terms.agreementHash),
    adjudicator: toAddress(terms.adjudicator),
    adjudicatorConfig: toHash(terms.adjudicatorConfig),
    deliverBy: toUint(terms.deliverBy, 48, "deliverBy"),
    adjudicateBy: toUint(terms.adjudicateBy, 48, "adjudicateBy"),
    noVerdictSellerBps: toUint(terms.noVerdictSellerBps, 16, "noVerdictSellerBps"),
    salt: toUint(terms.salt, 256, "salt"),
  };
}

/**
 * Terms from the tuple that the escrow's `Funded` event or calldata decodes to; addresses in EIP-55.
 *
 * @throws ValueError when a member is not what the escrow's ABI promises.
 */
export function termsFromEvent(struct: TermsStruct): Terms {
  return {
    buyer: toAddress(struct.buyer),
    seller: toAddress(struct.seller),
    reward: toUint(struct.reward, 256, "reward"),
    agreementHash: toHash(struct.agreementHash),
    adjudicator: toAddress(struct.adjudicator),
    adjudicatorConfig: toHash(struct.adjudicatorConfig),
    deliverBy: Number(toUint(struct.deliverBy, 48, "deliverBy")),
    adjudicateBy: Number(toUint(struct.adjudicateBy, 48, "adjudicateBy")),
    noVerdictSellerBps: Number(toUint(struct.noVerdictSellerBps, 16, "noVerdictSellerBps")),
    salt: toUint(struct.salt, 256, "salt"),
  };
}
