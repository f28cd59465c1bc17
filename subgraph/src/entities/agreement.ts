import { BigInt, Bytes, ethereum } from "@graphprotocol/graph-ts";
import { Funded } from "../../generated/AgreementEscrow/IAgreementEscrow";
import { Agreement } from "../../generated/schema";
import { pairId } from "../ids";
import { Status } from "../vocabulary";

/** A new agreement with nothing but its terms; the caller records its first event. */
export function createAgreement(event: Funded): Agreement {
  const terms = event.params.terms;
  const agreement = new Agreement(event.params.agreementId);
  agreement.escrow = event.address;
  agreement.buyer = terms.buyer;
  agreement.seller = terms.seller;
  agreement.pair = pairId(terms.buyer, terms.seller);
  agreement.reward = terms.reward;
  agreement.agreementHash = terms.agreementHash;
  agreement.adjudicator = terms.adjudicator;
  agreement.adjudicatorConfig = terms.adjudicatorConfig;
  agreement.deliverBy = terms.deliverBy;
  agreement.adjudicateBy = terms.adjudicateBy;
  agreement.noVerdictSellerBps = terms.noVerdictSellerBps;
  agreement.salt = terms.salt;
  agreement.status = Status.FUNDED;
  agreement.sellerCredited = BigInt.zero();
  agreement.buyerCredited = BigInt.zero();
  agreement.fundedAt = event.block.timestamp;
  agreement.fundedTx = event.transaction.hash;
  agreement.eventCount = 0;
  return agreement;
}

/** An agreement, if it is indexed. */
export function findAgreement(agreementId: Bytes): Agreement | null {
  // What this block has written need not be looked for in the database.
  const recent = Agreement.loadInBlock(agreementId);
  return recent !== null ? recent : Agreement.load(agreementId);
}

/** The agreement that an event is about. That it is missing can only mean lost logs or a start block that is too late. */
export function loadAgreement(agreementId: Bytes, event: ethereum.Event): Agreement {
  const agreement = findAgreement(agreementId);
  if (agreement === null) {
    throw new Error(
      "agreement " +
        agreementId.toHexString() +
        " of transaction " +
        event.transaction.hash.toHexString() +
        " is not indexed: startBlock is too late, or logs are missing",
    );
  }
  return agreement;
}
