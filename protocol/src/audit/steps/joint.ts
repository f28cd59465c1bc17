import { type CaseFile, type JointCase, reasonFor } from "../case-file.ts";
import { compare, compareAll, fail, notChecked, pass } from "../finding.ts";
import { fitsAgreement } from "../../responsibility/joint.ts";
import { otherRole, outcomeForRole } from "../../responsibility/role.ts";
import type { Finding } from "../report.ts";
import { withRecord } from "./record.ts";
import type { StepDefinition } from "./step.ts";

/** What holds only for a joint agreement: one workflow decides it together with the other side. */
export const JOINT_STEPS: readonly StepDefinition[] = [
  {
    id: "jointSide",
    title: "The agreement is one of the two sides that its document makes",
    basis: "computed",
    examine: (file) =>
      withJoint(file, ({ plan, role }) => {
        const { A, B } = plan.sides;
        const values = {
          expected: `${A.agreementId} or ${B.agreementId}`,
          actual: file.evidence.agreementId,
        };
        return role === null
          ? fail("ids of the two sides, from the document", values)
          : pass(`side ${role}; ids of the two sides, from the document`, values);
      }),
  },
  {
    id: "jointOutputs",
    title: "Both outputs that were judged are those that the agents signed and submitted",
    basis: "computed",
    examine: (file) => withJoint(file, (joint) => outputs(file, joint)),
  },
  {
    id: "jointOutcome",
    title: "The outcome is what the workflow's verdict means for this side",
    basis: "computed",
    examine: (file) =>
      withJoint(file, ({ plan, role }) =>
        withRecord(file, ({ responsibility, outcome }) => {
          if (responsibility === undefined)
            return notChecked(`${outcome} rests on no verdict of the workflow`);
          if (role === null) return fail("the agreement is neither side of its document");
          const note = `${responsibility.verdict} for side ${role}`;
          const subject = compareAll(
            [
              ["role", role, responsibility.role],
              ["workflowKey", plan.place.workflowKey, responsibility.workflowKey],
              ["workflowDigest", plan.workflowDigest, responsibility.workflowDigest],
              ["partner", plan.sides[otherRole(role)].agreementId, responsibility.partner.agreementId],
            ],
            note,
          );
          if (subject.result === "FAIL") return subject;
          return compare(outcomeForRole(responsibility.verdict, role), file.outcome ?? outcome, note);
        }),
      ),
  },
];

function withJoint(file: CaseFile, examine: (joint: JointCase) => Finding): Finding {
  return file.joint === null ? notChecked("the agreement has one seller") : examine(file.joint);
}

function outputs(file: CaseFile, { partnerSubmission }: JointCase): Finding {
  const agreement = file.agreement?.document;
  const own = file.submission?.document;
  if (agreement == null || own == null)
    return notChecked(reasonFor(file, "submission", "the submission document was not found"));
  if (!fitsAgreement(agreement, own)) return fail("the submission holds no output that its agent signed");
  return withRecord(file, ({ responsibility, outcome }) => {
    if (responsibility === undefined) return notChecked(`${outcome} rests on no verdict of the workflow`);
    if (partnerSubmission === null)
      return notChecked(reasonFor(file, "partnerSubmission", "the other side's submission was not found"));
    const { partner } = responsibility;
    const finding = compare(
      partner.submissionHash,
      partnerSubmission.sha256,
      "SHA-256 of the other side's submission",
    );
    if (finding.result === "FAIL") return finding;
    const other = partnerSubmission.document;
    const isItsOwn = other?.agreementId === partner.agreementId && fitsAgreement(agreement, other);
    return isItsOwn ? finding : fail("the other side's submission holds no output that its agent signed");
  });
}
