import { Address } from "@graphprotocol/graph-ts";
import { Certified } from "../../generated/VerdictQuorum/IVerdictQuorum";
import { Certificate } from "../../generated/schema";
import { logId } from "../ids";
import { Outcomes } from "../vocabulary";
import { operatorIds } from "./operator";

/** The certificate of an event, not yet tied to an agreement. */
export function createCertificate(event: Certified, signers: Address[]): Certificate {
  const certificate = new Certificate(logId(event));
  certificate.quorum = event.address;
  certificate.escrow = event.params.escrow;
  certificate.agreementId = event.params.agreementId;
  certificate.outcome = Outcomes.ofCode(event.params.outcome);
  certificate.submissionHash = event.params.submissionHash;
  certificate.verdictHash = event.params.verdictHash;
  certificate.judge = event.params.judge;
  certificate.judgeTx = event.params.judgeTx;
  certificate.signers = operatorIds(signers);
  certificate.transactionHash = event.transaction.hash;
  certificate.logIndex = event.logIndex.toI32();
  certificate.blockNumber = event.block.number;
  certificate.timestamp = event.block.timestamp;
  return certificate;
}
