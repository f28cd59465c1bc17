import { concat, dataLength, toBeHex } from "ethers";
import type { Certificate, Hex } from "@assay/protocol";

/** Bytes of a delivery for `deliverPacked`, by the table in the contract's interface. */
export function packed({ terms, verdict, members, threshold, signatures }: Certificate): Hex {
  return concat([
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
  ]) as Hex;
}
