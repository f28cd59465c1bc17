import { Certified, DeliveryFailed, OperatorRevoked } from "../generated/VerdictQuorum/IVerdictQuorum";
import { DeliveryFailure } from "../generated/schema";
import { loadAgreement } from "./entities/agreement";
import { createCertificate } from "./entities/certificate";
import { isIndexed } from "./entities/escrow";
import { countCertificate, createRevocation, loadOrCreateOperator } from "./entities/operator";
import { logId } from "./ids";
import { Outcomes } from "./vocabulary";

export function handleCertified(event: Certified): void {
  // Each look at a parameter decodes it anew.
  const signers = event.params.signers;
  const certificate = createCertificate(event, signers);
  // Anybody can have a quorum of its own certify for an escrow of its own, under any id.
  if (isIndexed(event.params.escrow)) {
    const agreementId = event.params.agreementId;
    certificate.agreement = agreementId;
    if (certificate.outcome == Outcomes.WITHHELD) {
      const agreement = loadAgreement(agreementId, event);
      agreement.outcome = Outcomes.WITHHELD;
      agreement.save();
    }
  }
  certificate.save();
  for (let i = 0; i < signers.length; i++) countCertificate(signers[i], certificate.outcome, event);
}

export function handleDeliveryFailed(event: DeliveryFailed): void {
  const failure = new DeliveryFailure(logId(event));
  failure.quorum = event.address;
  failure.index = event.params.index;
  failure.agreementId = event.params.agreementId;
  failure.reason = event.params.reason;
  failure.transactionHash = event.transaction.hash;
  failure.logIndex = event.logIndex.toI32();
  failure.blockNumber = event.block.number;
  failure.timestamp = event.block.timestamp;
  failure.save();
}

export function handleOperatorRevoked(event: OperatorRevoked): void {
  const operator = loadOrCreateOperator(event.params.operator);
  operator.revokedAt = event.block.timestamp;
  operator.save();
  createRevocation(operator, event).save();
}
