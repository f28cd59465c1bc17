import { auditSteps, type AuditReport, type AuditStep, type Evidence } from "@assay/protocol";

/** Work that has taken longer than this lets the page breathe before it goes on. */
const SLICE_MILLISECONDS = 24;

/**
 * Audits evidence, telling of each step as soon as it is found, without holding up the page.
 *
 * @param live what the chains say now, when the evidence is a bundle.
 */
export async function runAudit(
  evidence: Evidence,
  onStep: (step: AuditStep) => void,
  live?: Evidence,
): Promise<AuditReport> {
  const steps = auditSteps(evidence, live);
  let sliceStart = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    onStep(value);
    if (performance.now() - sliceStart < SLICE_MILLISECONDS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    sliceStart = performance.now();
  }
}
