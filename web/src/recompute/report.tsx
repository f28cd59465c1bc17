import { useState } from "react";
import type { AuditReport, AuditStep } from "@assay/protocol";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { Step } from "../components/step.tsx";

/** Steps as they are found, and in the end what they amount to. */
export function Report({
  steps,
  report,
}: {
  readonly steps: readonly AuditStep[];
  /** Null while steps are still to come. */
  readonly report: AuditReport | null;
}) {
  const [isAll, setIsAll] = useState(true);
  const shown = isAll ? steps : steps.filter(({ result }) => result !== "PASS");
  return (
    <div className="stack">
      {report === null ? <p role="status">{steps.length} steps done …</p> : <Summary report={report} />}
      {report !== null && report.passed > 0 && report.passed < steps.length && (
        <div className="no-print">
          <Button kind="quiet" onClick={() => setIsAll(!isAll)} aria-pressed={!isAll}>
            {isAll ? "Show only what did not pass" : "Show every step"}
          </Button>
        </div>
      )}
      <ol className="steps">
        {shown.map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
      <p className="muted small">
        A step marked “as reported” rests on the word of the nodes asked, or of the bundle; every other one on
        hashes and signatures alone, computed here.
      </p>
    </div>
  );
}

function Summary({ report }: { readonly report: AuditReport }) {
  const { result, passed, failed, notChecked } = report;
  const counts = `${passed} passed, ${failed} failed, ${notChecked} not checked`;
  const [tone, title, words] = {
    PASS: ["pass", "Everything follows", "Each step holds, from the terms to the payment."] as const,
    FAIL: [
      "fail",
      "A step does not hold",
      "Look at the values that differ. Nothing that rests on that step can be believed.",
    ] as const,
    INCOMPLETE: [
      "warn",
      "Nothing is wrong, and not everything could be checked",
      "Each step that was not checked says what was missing.",
    ] as const,
  }[result];
  return (
    <Notice tone={tone} title={`${title}: ${counts}`}>
      <p>{words}</p>
      <div className="meter" aria-hidden="true">
        <Share count={passed} tone="pass" />
        <Share count={failed} tone="fail" />
        <Share count={notChecked} tone="warn" />
      </div>
    </Notice>
  );
}

function Share({ count, tone }: { readonly count: number; readonly tone: string }) {
  return <span className={tone} style={{ "--share": count } as React.CSSProperties} />;
}
