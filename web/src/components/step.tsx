import type { AuditStep, StepResult } from "@assay/protocol";
import { printable } from "@assay/protocol";
import { Badge, type Tone } from "./badge.tsx";

const LOOKS: Readonly<Record<StepResult, { readonly tone: Tone; readonly words: string }>> = {
  PASS: { tone: "pass", words: "PASS" },
  FAIL: { tone: "fail", words: "FAIL" },
  NOT_CHECKED: { tone: "warn", words: "NOT CHECKED" },
};

/** One step of an audit, with the value that had to be there beside the one that was. */
export function Step({ step }: { readonly step: AuditStep }) {
  const { id, title, basis, result, expected, actual, note } = step;
  const { tone, words } = LOOKS[result];
  return (
    <li data-step={id} data-result={result}>
      <div className="step-head">
        <Badge tone={tone}>{words}</Badge>
        <h3>{title}</h3>
        {result === "PASS" && basis === "reported" && <span className="muted small">as reported</span>}
      </div>
      {expected !== undefined && actual !== undefined && (
        <dl className={result === "FAIL" ? "compare differs" : "compare"}>
          <div>
            <dt>expected</dt>
            <dd>{printable(expected)}</dd>
          </div>
          <div>
            <dt>found</dt>
            <dd>{printable(actual)}</dd>
          </div>
        </dl>
      )}
      <p className="muted small">{printable(note)}</p>
    </li>
  );
}
