import { toAddress } from "../primitives/address.ts";
import { toHash } from "../primitives/hex.ts";
import { ValueError } from "../primitives/value-error.ts";
import type { Terms } from "./terms.ts";

/** Terms as ABI codecs hand them out: every integer a bigint. Ethers' decoded tuples have this shape. */
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

/** Terms as ABI codecs take them, for the argument `terms` of the escrow's functions. */
export function toTermsStruct(terms: Terms): TermsStruct {
  return {
    buyer: terms.buyer,
    seller: terms.seller,
    reward: terms.reward,
    agreementHash: terms.agreementHash,
    adjudicator: terms.adjudicator,
    adjudicatorConfig: terms.adjudicatorConfig,
    deliverBy: BigInt(terms.deliverBy),
    adjudicateBy: BigInt(terms.adjudicateBy),
    noVerdictSellerBps: BigInt(terms.noVerdictSellerBps),
    salt: terms.salt,
  };
}

/**
 * Terms from the tuple that the escrow's `Funded` event or calldata decodes to; addresses in EIP-55.
 *
 * @throws ValueError when a member is not what the ABI promises.
 */
export function termsFromEvent(struct: TermsStruct): Terms {
  return {
    buyer: toAddress(struct.buyer),
    seller: toAddress(struct.seller),
    reward: struct.reward,
    agreementHash: toHash(struct.agreementHash),
    adjudicator: toAddress(struct.adjudicator),
    adjudicatorConfig: toHash(struct.adjudicatorConfig),
    deliverBy: toSafeNumber(struct.deliverBy, "deliverBy"),
    adjudicateBy: toSafeNumber(struct.adjudicateBy, "adjudicateBy"),
    noVerdictSellerBps: toSafeNumber(struct.noVerdictSellerBps, "noVerdictSellerBps"),
    salt: struct.salt,
  };
}

function toSafeNumber(value: bigint, member: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new ValueError("terms_invalid", `${member} is ${value}`, "Decode with the escrow's own ABI.");
  }
  return number;
}
