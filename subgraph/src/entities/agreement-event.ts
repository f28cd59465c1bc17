import { ethereum } from "@graphprotocol/graph-ts";
import { Agreement, AgreementEvent } from "../../generated/schema";
import { logId } from "../ids";

/**
 * The log entry of an event that takes the agreement to `statusAfter` (its own status when it stays).
 * Counts it in the agreement; the caller saves both.
 */
export function createAgreementEvent(
  agreement: Agreement,
  kind: string,
  statusAfter: string,
  event: ethereum.Event,
): AgreementEvent {
  const entry = new AgreementEvent(logId(event));
  entry.agreement = agreement.id;
  if (agreement.eventCount > 0) entry.statusBefore = agreement.status;
  agreement.eventCount += 1;
  entry.sequence = agreement.eventCount;
  entry.kind = kind;
  entry.statusAfter = statusAfter;
  entry.transactionHash = event.transaction.hash;
  entry.logIndex = event.logIndex.toI32();
  entry.blockNumber = event.block.number;
  entry.timestamp = event.block.timestamp;
  return entry;
}
