import {
  fitsAgreement,
  isJoint,
  jointPlanOf,
  otherRole,
  roleIn,
  type Agreement,
  type Hex,
  type JointPlan,
  type Role,
  type Submission,
} from "@assay/protocol";
import type { StateName, SubmissionState } from "../core/index.ts";
import { recentOf } from "../run/recent.ts";
import { chainView, type Services } from "../run/services.ts";
import { NotYetError } from "../run/step.ts";
import type { SubmissionRow } from "../store/index.ts";
import { holdsSubmission, type JointSubject } from "./conditions.ts";

/** A joint agreement's plan, and which of its sides an agreement is. */
export interface Side {
  readonly plan: JointPlan;
  readonly role: Role;
  /** The agreement of the other side. */
  readonly partnerId: Hex;
}

/** Plans kept at hand: each follows from the document, which the terms name by its hash. */
const plans = recentOf<JointPlan>(256);

/** Which side of a joint agreement this is; null when its terms are neither of the document's sides. */
export function sideOf(services: Services, agreementId: Hex, agreement: Agreement): Side | null {
  if (!isJoint(agreement)) return null;
  const plan = plans(services).get(agreementId) ?? jointPlanOf(agreement);
  plans(services).keep(agreementId, plan);
  const role = roleIn(plan, agreementId);
  return role === null ? null : { plan, role, partnerId: plan.sides[otherRole(role)].agreementId };
}

/** What the other side submitted, final and with its document. */
export interface PartnerSubmission {
  readonly row: SubmissionRow;
  readonly submission: Submission;
}

/** States in which a submission's block is not final. */
const NOT_FINAL: readonly StateName[] = ["OBSERVED", "ORPHANED"];

/**
 * The other side's submission, which its escrow agreement holds at the final block.
 *
 * @returns what is missing, in words, as long as there is none.
 */
export async function partnerSubmission(
  services: Services,
  agreement: Agreement,
  { partnerId }: Side,
): Promise<PartnerSubmission | string> {
  const rows = await services.store.submissionsOf(partnerId);
  const final = rows.filter(({ state }) => !NOT_FINAL.includes(state.name));
  if (final.length === 0) return "waiting for the other side's submission to be final";
  const escrow = await services.chain.escrowState(partnerId, chainView(services).final.number);
  const row = final.find(({ state }) => holdsSubmission(escrow, state.submissionHash));
  if (row === undefined) return `the other side's escrow agreement is ${escrow.status}`;
  const found = await services.documents.submission(row.state.submissionHash);
  if (found === null) return "waiting for the other side's document";
  const isItsOwn = found.document.agreementId === partnerId;
  return isItsOwn && fitsAgreement(agreement, found.document)
    ? { row, submission: found.document }
    : "the other side's document holds no signed output";
}

/**
 * Both sides of a joint agreement, as one of its submissions sees them.
 *
 * @throws NotYetError when the other side has nothing that can be judged.
 */
export async function jointSubjectOf(
  services: Services,
  { agreementId }: SubmissionState,
  agreement: Agreement,
  submission: Submission,
): Promise<JointSubject> {
  const side = sideOf(services, agreementId, agreement);
  if (side === null) throw new NotYetError("the agreement is neither side of its joint document");
  const partner = await partnerSubmission(services, agreement, side);
  if (typeof partner === "string") throw new NotYetError(partner);
  const { plan, role } = side;
  const [own, others] = [submission.output?.text ?? "", partner.submission.output?.text ?? ""];
  return {
    plan,
    role,
    outputs: role === "A" ? { A: own, B: others } : { A: others, B: own },
    partnerSubmissionHash: partner.row.state.submissionHash,
  };
}
