import { type CheckedRequirement, previewChecks } from "../../checks/run-check.ts";
import { type CaseFile, reasonFor } from "../case-file.ts";
import { compare, notChecked, pass } from "../finding.ts";
import type { Finding } from "../report.ts";
import { withRecord } from "./record.ts";
import type { StepDefinition } from "./step.ts";

/** What code decides is decided again. */
export const CHECK_STEPS: readonly StepDefinition[] = [
  {
    id: "checks",
    title: "The agreement's checks decide the same when run again",
    basis: "computed",
    examine: (file) => checks(file),
  },
];

/** Compares every check with the verdict record's result, and with the detail in the judge's stored record. */
function checks(file: CaseFile): Finding {
  return withRecord(file, (record) => {
    if (file.joint !== null) return pass("a workflow's verdict decides: the agreement has no checks");
    if (record.requirements.length === 0) return notChecked(`${record.outcome} judges no requirement`);
    const agreement = file.agreement?.document;
    const submission = file.submission?.document;
    if (agreement == null || submission == null)
      return notChecked(reasonFor(file, "submission", "agreement and submission are not both at hand"));
    const { evidence, adjudication } = file;
    const subject = {
      chainId: evidence.evm.chainId,
      escrow: evidence.evm.escrow,
      agreementId: evidence.agreementId,
    };
    const checked = previewChecks(agreement, submission, subject);
    for (const { id, result } of checked) {
      if (result === undefined) continue;
      const judged = record.requirements.find((requirement) => requirement.id === id);
      const finding = compare(resultOf(result.passed), judged?.result, `requirement ${id}`);
      if (finding.result === "FAIL") return finding;
      const stored = adjudication?.document?.requirements.find((requirement) => requirement.id === id);
      if (stored?.detail === undefined || stored.detail === result.detail) continue;
      return compare(result.detail, stored.detail, `the judge's detail about ${id}`);
    }
    return summary(checked);
  });
}

function summary(checked: readonly CheckedRequirement[]): Finding {
  const [run, left] = [true, false].map((isRun) =>
    checked.flatMap(({ id, result }) => ((result !== undefined) === isRun ? [id] : [])),
  ) as [string[], string[]];
  const others = left.length === 0 ? "" : `; only the validators could ask the web about ${left.join(", ")}`;
  if (checked.length === 0) return pass("the agreement has no checks: models judged everything");
  if (run.length === 0) return notChecked(`no check can be run again here${others}`);
  return pass(`run again here${others}`, { expected: run.join(", "), actual: "equal" });
}

function resultOf(passed: boolean): "PASS" | "FAIL" {
  return passed ? "PASS" : "FAIL";
}
