import { dataLength, toBeHex } from "ethers";
import { interfaceOf } from "../primitives/interface-of.ts";
import { verdictQuorumAbi } from "../abi/verdict-quorum.ts";
import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";
import type { Terms } from "../terms/terms.ts";
import { toTermsStruct } from "../terms/terms-struct.ts";
import type { Verdict } from "./verdict.ts";

/** A verdict with everything that a quorum needs to act on it. */
export interface Certificate {
  readonly terms: Terms;
  readonly verdict: Verdict;
  /** Ascending. */
  readonly members: readonly Address[];
  readonly threshold: number;
  /** One for each member, `0x` where it did not sign. */
  readonly signatures: readonly Hex[];
}

/**
 * Calldata that delivers a certificate to its quorum: packed, which is half as long and cheaper by that, or plain when
 * something does not fit the packed form. Either does exactly the same.
 *
 * The certificate must be consistent (its agreement id that of its terms, its `notAfter` the terms' `adjudicateBy`);
 * the packed form does not carry what follows from the rest, so an inconsistent one is refused by the quorum.
 */
export function deliveryCalldata(certificate: Certificate): Hex {
  if (fitsPacked(certificate)) {
    return interfaceOf(verdictQuorumAbi).encodeFunctionData("deliverPacked", [pack(certificate)]) as Hex;
  }
  const { terms, verdict, members, threshold, signatures } = certificate;
  const delivery = { terms: toTermsStruct(terms), verdict, quorum: { members, threshold }, signatures };
  return interfaceOf(verdictQuorumAbi).encodeFunctionData("deliver", [delivery]) as Hex;
}

/** Field widths of `IVerdictQuorum.deliverPacked`, which lists them all. */
function fitsPacked({ terms, verdict, members, threshold, signatures }: Certificate): boolean {
  return (
    terms.reward < 2n ** 128n &&
    verdict.notAfter === terms.adjudicateBy &&
    members.length <= 255 &&
    threshold <= 255 &&
    signatures.every((signature) => dataLength(signature) <= 255)
  );
}

/** Big-endian fields without padding, in the order of `IVerdictQuorum.deliverPacked`. */
function pack({ terms, verdict, members, threshold, signatures }: Certificate): string {
  return endToEnd([
    verdict.escrow,
    terms.buyer,
    terms.seller,
    toBeHex(terms.reward, 16),
    terms.agreementHash,
    toBeHex(terms.deliverBy, 6),
    toBeHex(terms.adjudicateBy, 6),
    toBeHex(terms.noVerdictSellerBps, 2),
    toBeHex(terms.salt, 32),
    verdict.submissionHash,
    toBeHex(verdict.outcome, 1),
    verdict.verdictHash,
    verdict.judge,
    verdict.judgeTx,
    toBeHex(threshold, 1),
    toBeHex(members.length, 1),
    ...members,
    ...signatures.flatMap((signature) => [toBeHex(dataLength(signature), 1), signature]),
  ]);
}

function endToEnd(fields: readonly string[]): string {
  return `0x${fields.map((field) => field.slice(2)).join("")}`;
}
