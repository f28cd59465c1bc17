import { concat, dataLength, toBeHex } from "ethers";
import type { Delivery } from "./world.ts";

/** A delivery in the packed form that `deliverPacked` takes. */
export function packDelivery({ terms, verdict, quorum, signatures }: Delivery): string {
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
    toBeHex(quorum.threshold, 1),
    toBeHex(quorum.members.length, 1),
    ...quorum.members,
    ...signatures.map((signature) => concat([toBeHex(dataLength(signature), 1), signature])),
  ]);
}
