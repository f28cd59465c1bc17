import type { VerdictRecord } from "@assay/protocol";
import type { StateName, SubmissionState } from "../core/index.ts";
import { sideOf, type Side } from "../judge/joint.ts";
import { termsOf } from "../judge/subject.ts";
import type { Services } from "../run/services.ts";
import { NotYetError } from "../run/step.ts";

/** Which side of a joint agreement a submission is under; null under an agreement of one seller. */
export async function jointSide(services: Services, state: SubmissionState): Promise<Side | null> {
  const terms = await termsOf(services, state);
  const agreement = await services.documents.agreement(terms.agreementHash);
  if (agreement === null) throw new NotYetError("the agreement's document is missing");
  return sideOf(services, state.agreementId, agreement.document);
}

/** Where two records are not about one and the same end of a workflow; null when they are. */
export function jointDifference(one: VerdictRecord, other: VerdictRecord): string | null {
  const [a, b] = [one.responsibility, other.responsibility];
  if (one.transactions.join() !== other.transactions.join()) return "transactions";
  if (a === undefined || b === undefined) {
    // Neither has a workflow's record: every round ended without one.
    const alike = a === b && one.outcome === "UNDETERMINED" && other.outcome === "UNDETERMINED";
    return alike ? null : "outcome";
  }
  const members = ["workflowKey", "workflowDigest", "assessmentDigest", "recordDigest", "verdict"] as const;
  const different = members.find((member) => a[member] !== b[member]);
  if (different !== undefined) return different;
  if (a.role === b.role) return "role";
  const isMutual =
    a.partner.agreementId === other.agreementId &&
    a.partner.submissionHash === other.submissionHash &&
    b.partner.agreementId === one.agreementId &&
    b.partner.submissionHash === one.submissionHash;
  return isMutual ? null : "partner";
}

/** States of the other side in which a certificate of this one is held back. */
const UNSURE: readonly StateName[] = ["VERDICT_FINAL", "ATTESTED", "QUARANTINED", "CONFLICT"];

/**
 * Why this operator does not deliver a joint agreement's certificate yet; null when nothing speaks against it. Both
 * certificates have their quorum before one of them leaves, so that a doubt about either stops both.
 */
export async function heldForPartner(services: Services, state: SubmissionState): Promise<string | null> {
  if (state.verdict?.outcome === "WITHHELD") return null;
  const side = await jointSide(services, state);
  if (side === null) return null;
  const rows = await services.store.submissionsOf(side.partnerId);
  const unsure = rows.find((row) => UNSURE.includes(row.state.name));
  return unsure === undefined ? null : `the other side is ${unsure.state.name}`;
}
