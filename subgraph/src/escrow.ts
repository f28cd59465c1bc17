import { BigInt } from "@graphprotocol/graph-ts";
import {
  Accepted,
  Cancelled,
  Conceded,
  Concluded,
  Credited,
  Expired,
  Funded,
  Refunded,
  Released,
  Settled,
  Submitted,
  Withdrawn,
} from "../generated/AgreementEscrow/IAgreementEscrow";
import { createAgreement, loadAgreement } from "./entities/agreement";
import { createAgreementEvent } from "./entities/agreement-event";
import { createWithdrawal, loadCredit, loadOrCreateCredit } from "./entities/credit";
import { enterAgreement, enterCredit, leaveCredit, loadEscrow, loadOrCreateEscrow } from "./entities/escrow";
import { flowFromCredit, flowIn, flowToCredit } from "./entities/flow";
import { countPair } from "./entities/pair";
import { countParties } from "./entities/party";
import { advance, close, Ending } from "./lifecycle";
import { Cause, Fact, Kind, Outcomes, Status } from "./vocabulary";

export function handleFunded(event: Funded): void {
  const id = event.params.agreementId;
  const terms = event.params.terms;
  const agreement = createAgreement(id, terms, event);
  createAgreementEvent(agreement, Kind.FUNDED, Status.FUNDED, event).save();
  agreement.save();

  const escrow = loadOrCreateEscrow(event.address);
  enterAgreement(escrow, terms.reward);
  escrow.save();
  countParties(terms.buyer, terms.seller, terms.reward, event);
  countPair(terms.buyer, terms.seller, terms.reward, event);
  flowIn(terms.reward, event);
}

export function handleAccepted(event: Accepted): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  agreement.acceptedAt = event.block.timestamp;
  advance(agreement, Kind.ACCEPTED, Status.ACCEPTED, event);
}

export function handleSubmitted(event: Submitted): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  // Submitting is accepting.
  if (agreement.acceptedAt === null) agreement.acceptedAt = event.block.timestamp;
  agreement.submissionHash = event.params.submissionHash;
  agreement.submittedAt = event.block.timestamp;
  advance(agreement, Kind.SUBMITTED, Status.SUBMITTED, event);
}

export function handleReleased(event: Released): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  agreement.verdictHash = event.params.verdictHash;
  agreement.outcome = Outcomes.PASS;
  close(
    agreement,
    new Ending(Kind.RELEASED, Status.RELEASED, Cause.VERDICT, Fact.PASSED, agreement.reward),
    event,
  );
}

export function handleRefunded(event: Refunded): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  agreement.verdictHash = event.params.verdictHash;
  // The escrow knows one refund; that it was for a WITHHELD stood in the certificate, logged before it.
  const withheld = agreement.outcome == Outcomes.WITHHELD;
  if (!withheld) agreement.outcome = Outcomes.FAIL;
  const fact = withheld ? Fact.WITHHELD : Fact.FAILED;
  close(agreement, new Ending(Kind.REFUNDED, Status.REFUNDED, Cause.VERDICT, fact, BigInt.zero()), event);
}

export function handleConcluded(event: Concluded): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  agreement.verdictHash = event.params.verdictHash;
  agreement.outcome = Outcomes.UNDETERMINED;
  const share = event.params.sellerAmount;
  close(agreement, new Ending(Kind.CONCLUDED, Status.SPLIT, Cause.VERDICT, Fact.UNDETERMINED, share), event);
}

export function handleCancelled(event: Cancelled): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  close(
    agreement,
    new Ending(Kind.CANCELLED, Status.REFUNDED, Cause.CANCELLED, Fact.CANCELLED, BigInt.zero()),
    event,
  );
}

export function handleConceded(event: Conceded): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  agreement.conceder = event.params.conceder;
  if (agreement.buyer.equals(event.params.conceder)) {
    const share = agreement.reward;
    close(
      agreement,
      new Ending(Kind.CONCEDED, Status.RELEASED, Cause.CONCEDED, Fact.CONCEDED_BY_BUYER, share),
      event,
    );
  } else {
    // Who never consented gives back what it never asked for.
    const fact = agreement.acceptedAt === null ? Fact.DECLINED : Fact.CONCEDED_BY_SELLER;
    close(agreement, new Ending(Kind.CONCEDED, Status.REFUNDED, Cause.CONCEDED, fact, BigInt.zero()), event);
  }
}

export function handleSettled(event: Settled): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  const share = event.params.sellerAmount;
  close(agreement, new Ending(Kind.SETTLED, Status.SPLIT, Cause.SETTLED, Fact.SETTLED, share), event);
}

export function handleExpired(event: Expired): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  const share = event.params.sellerAmount;
  if (agreement.status == Status.SUBMITTED) {
    close(agreement, new Ending(Kind.EXPIRED, Status.SPLIT, Cause.NO_VERDICT, Fact.UNJUDGED, share), event);
  } else {
    const fact = agreement.status == Status.ACCEPTED ? Fact.NO_SHOW : Fact.LAPSED;
    close(agreement, new Ending(Kind.EXPIRED, Status.REFUNDED, Cause.NO_SUBMISSION, fact, share), event);
  }
}

export function handleCredited(event: Credited): void {
  const agreement = loadAgreement(event.params.agreementId, event);
  const creditor = event.params.creditor;
  const amount = event.params.amount;
  if (agreement.seller.equals(creditor)) agreement.sellerCredited = amount;
  else agreement.buyerCredited = amount;
  const entry = createAgreementEvent(agreement, Kind.CREDITED, agreement.status, event);
  entry.party = creditor;
  entry.creditAmount = amount;
  entry.save();
  agreement.save();

  const credit = loadOrCreateCredit(event.address, creditor);
  credit.open = credit.open.plus(amount);
  credit.credited = credit.credited.plus(amount);
  credit.save();

  const escrow = loadEscrow(event.address);
  enterCredit(escrow, amount);
  escrow.save();
  flowToCredit(amount, event);
}

export function handleWithdrawn(event: Withdrawn): void {
  const amount = event.params.amount;
  const credit = loadCredit(event.address, event.params.creditor);
  credit.open = credit.open.minus(amount);
  credit.withdrawn = credit.withdrawn.plus(amount);
  credit.save();
  createWithdrawal(credit, event.params.to, amount, event).save();

  const escrow = loadEscrow(event.address);
  leaveCredit(escrow, amount);
  escrow.save();
  flowFromCredit(amount, event);
}
