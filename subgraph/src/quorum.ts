import { Certified, DeliveryFailed, OperatorRevoked } from "../generated/VerdictQuorum/IVerdictQuorum";
import { DeliveryFailure, Escrow, Revocation } from "../generated/schema";
import { loadAgreement } from "./entities/agreement";
import { createCertificate } from "./entities/certificate";
import { countCertificate, loadOrCreateOperator } from "./entities/operator";
import { logId } from "./ids";

export function handleCertified(event: Certified): void {
  const certificate = createCertificate(event);
  // Anybody can have a quorum of its own certify for an escrow of its own, under any id.
  if (Escrow.load(event.params.escrow) !== null) {
    const agreement = loadAgreement(event.params.agreementId, event);
    agreement.certificate = certificate.id;
    agreement.save();
    certificate.agreement = agreement.id;
  }
  certificate.save();
  for (let i = 0; i < event.params.signers.length; i++) {
    countCertificate(event.params.signers[i], certificate.outcome, event);
  }
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

  const revocation = new Revocation(logId(event));
  revocation.quorum = event.address;
  revocation.operator = operator.id;
  revocation.transactionHash = event.transaction.hash;
  revocation.logIndex = event.logIndex.toI32();
  revocation.blockNumber = event.block.number;
  revocation.timestamp = event.block.timestamp;
  revocation.save();
}
