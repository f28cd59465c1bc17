import { Bytes, ethereum } from "@graphprotocol/graph-ts";
import { Funded, FundedTermsStruct } from "../../generated/AgreementEscrow/IAgreementEscrow";
import { Agreement } from "../../generated/schema";
import { Status } from "../vocabulary";

/** A new agreement; the caller records its first event. */
export function createAgreement(id: Bytes, terms: FundedTermsStruct, event: Funded): Agreement {
  const agreement = new Agreement(id);
  agreement.buyer = terms.buyer;
  agreement.seller = terms.seller;
  agreement.reward = terms.reward;
  agreement.agreementHash = terms.agreementHash;
  agreement.adjudicator = terms.adjudicator;
  agreement.adjudicatorConfig = terms.adjudicatorConfig;
  agreement.deliverBy = terms.deliverBy;
  agreement.adjudicateBy = terms.adjudicateBy;
  agreement.noVerdictSellerBps = terms.noVerdictSellerBps;
  agreement.salt = terms.salt;
  agreement.status = Status.FUNDED;
  agreement.fundedAt = event.block.timestamp;
  agreement.eventCount = 0;
  return agreement;
}

/** The agreement that an event is about. That it is missing can only mean lost logs or a start block that is too late. */
export function loadAgreement(agreementId: Bytes, event: ethereum.Event): Agreement {
  // What this block has written need not be looked for in the database.
  const recent = Agreement.loadInBlock(agreementId);
  const agreement = recent !== null ? recent : Agreement.load(agreementId);
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
