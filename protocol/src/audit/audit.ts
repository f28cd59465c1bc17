import { type CaseFile, openCase } from "./case-file.ts";
import type { Evidence } from "./evidence.ts";
import type { AuditReport, AuditStep, StepResult } from "./report.ts";
import { bundleStep } from "./steps/bundle.ts";
import { CERTIFICATE_STEPS } from "./steps/certificate.ts";
import { CHECK_STEPS } from "./steps/checks.ts";
import { DOCUMENT_STEPS } from "./steps/documents.ts";
import { INCLUSION_STEPS } from "./steps/inclusion.ts";
import { JUDGE_STEPS } from "./steps/judge.ts";
import { JOINT_STEPS } from "./steps/joint.ts";
import { RECORD_STEPS } from "./steps/record.ts";
import { SETTLEMENT_STEPS } from "./steps/settlement.ts";
import type { StepDefinition } from "./steps/step.ts";
import { WALK_STEPS } from "./steps/walk.ts";

/** Every step of an audit where operators decide, in order. */
export const AUDIT_STEPS: readonly StepDefinition[] = [
  ...DOCUMENT_STEPS,
  ...RECORD_STEPS,
  ...JUDGE_STEPS,
  ...CHECK_STEPS,
  ...CERTIFICATE_STEPS,
  ...SETTLEMENT_STEPS,
  ...INCLUSION_STEPS,
];

/** Every step of an audit where an execution proof gate decides: the walk's end is the submission, and no judge is asked. */
export const GATE_AUDIT_STEPS: readonly StepDefinition[] = [
  ...DOCUMENT_STEPS.filter(({ id }) => id !== "submissionHash"),
  ...WALK_STEPS,
  ...SETTLEMENT_STEPS,
  ...INCLUSION_STEPS,
];

/** The steps that a case asks for. */
function stepsFor({ walk, joint }: CaseFile): readonly StepDefinition[] {
  if (walk !== null) return GATE_AUDIT_STEPS;
  return joint === null ? AUDIT_STEPS : [...AUDIT_STEPS, ...JOINT_STEPS];
}

/**
 * Recomputes step by step, for those who show each as soon as it is found; returns the whole report.
 *
 * @param live as for {@link audit}.
 */
export function* auditSteps(evidence: Evidence, live?: Evidence): Generator<AuditStep, AuditReport> {
  const file = openCase(evidence);
  const steps: AuditStep[] = [];
  for (const step of stepsFor(file)) {
    const { id, title, basis } = step;
    const found = { id, title, basis, ...step.examine(file) };
    steps.push(found);
    yield found;
  }
  if (live !== undefined) {
    const found = bundleStep(evidence, live);
    steps.push(found);
    yield found;
  }
  const count = (result: StepResult): number => steps.filter((step) => step.result === result).length;
  const [passed, failed, notChecked] = [count("PASS"), count("FAIL"), count("NOT_CHECKED")];
  return {
    agreementId: evidence.agreementId,
    ending: file.history.ending?.name ?? null,
    outcome: file.outcome,
    result: failed > 0 ? "FAIL" : notChecked > 0 ? "INCOMPLETE" : "PASS",
    passed,
    failed,
    notChecked,
    steps,
  };
}

/**
 * Recomputes everything that public facts about an agreement allow to recompute. Pure: what it says depends on the
 * evidence alone, so that anybody who holds the same facts gets the same report.
 *
 * @param live when the evidence is a bundle: what the chains say now, to be compared with it in one more step.
 */
export function audit(evidence: Evidence, live?: Evidence): AuditReport {
  const steps = auditSteps(evidence, live);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
