import {
  buildVerdictRecord,
  conflictedReporters,
  hasConflictedRecorder,
  isJoint,
  type Agreement,
  type Hex,
} from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import { partnerSubmission, sideOf } from "../judge/joint.ts";
import { documentsOf, termsOf } from "../judge/subject.ts";
import { chainView, type Services } from "../run/services.ts";
import { NotYetError, type Handler, type Step } from "../run/step.ts";
import { verdictRow } from "../attest/verdict.ts";
import { venueOf, type Venue } from "../venue/index.ts";

/**
 * Waits for the two documents; under a joint agreement also for those of the other side, without which nothing can be
 * judged. A submission whose document stays away for the whole window is WITHHELD, which refunds;
 * an agreement whose document stays away can't be judged, and pays nobody through a verdict.
 */
export function createDocumentsHandler(services: Services): Handler {
  const { documents, judge } = services;
  return async ({ state }) => {
    const { latest, final } = chainView(services);
    const late = final.timestamp > state.documentsBy;
    const terms = await termsOf(services, state);
    const agreement = await documents.agreement(terms.agreementHash);
    if (agreement === null)
      return late
        ? quarantine("the agreement's document could not be had from any source during the document window")
        : { wait: "poll", note: "waiting for the agreement's document" };

    const mismatch = networkMismatch(services, agreement.document);
    if (mismatch !== null) return quarantine(mismatch);
    // The judge does not know the parties; who reports or records in their own case is found here.
    const [conflicted] = conflictedReporters(agreement.document, terms);
    if (conflicted !== undefined)
      return quarantine(`the agreement's reporter ${conflicted.id} is its buyer or seller`);
    if (hasConflictedRecorder(agreement.document, terms))
      return quarantine("the recorder of the agreement's execution is its buyer or seller");

    const side = sideOf(services, state.agreementId, agreement.document);
    if (side === null && isJoint(agreement.document))
      return quarantine("the agreement's terms are neither of the two sides in its joint document");

    if ((await documentsOf(services, state)) === null)
      return late
        ? withheld(services, state, await venueOf(services, state), agreement.document)
        : { wait: "poll", note: "waiting for the submission's document" };

    const wakes: Hex[] = [];
    if (side !== null) {
      const partner = await partnerSubmission(services, agreement.document, side);
      if (typeof partner === "string") return { wait: "poll", note: partner };
      // It may have waited long for this side, and looks rarely by now.
      wakes.push(partner.row.state.submissionHash);
    }

    const { contract, codeHash, rounds } = agreement.document.adjudication;
    const found = await judge.codeHash(contract);
    if (found === null) throw new NotYetError(`there is no code at the judge ${contract}`);
    if (found !== codeHash)
      return quarantine(`the judge's code has hash ${found}, the agreement pins ${codeHash}`);
    return { events: [{ type: "DocumentsReady", rounds, at: latest.timestamp }], change: { wakes } };
  };
}

function quarantine(reason: string): Step {
  return { events: [{ type: "Quarantined", reason }] };
}

function networkMismatch({ judge }: Services, { adjudication }: Agreement): string | null {
  const { network } = judge;
  if (adjudication.chainId === network.chainId && adjudication.consensusMain === network.consensusMain)
    return null;
  return (
    `the agreement is judged on ${adjudication.network} (chain ${adjudication.chainId}, ConsensusMain ` +
    `${adjudication.consensusMain}), this operator serves ${network.name}`
  );
}

function withheld(services: Services, state: SubmissionState, venue: Venue, agreement: Agreement): Step {
  const record = buildVerdictRecord({
    agreement,
    agreementId: state.agreementId,
    submissionHash: state.submissionHash,
    chainId: services.config.evm.chainId,
    escrow: venue.contract,
    finding: { kind: "withheld" },
  });
  const { row, verdict } = verdictRow(services, record);
  return { events: [{ type: "Withheld", verdict }], change: { verdicts: [row] } };
}
