import type { AuditReport, AuditStep, StepResult } from "@assay/protocol";

const LABELS: Readonly<Record<StepResult, string>> = {
  PASS: "PASS",
  FAIL: "FAIL",
  NOT_CHECKED: "NOT CHECKED",
};
const LABEL_WIDTH = 13;

/** A report for people: every step with the two values that were compared. */
export function formatReport(report: AuditReport): string {
  const { agreementId, ending, outcome, passed, failed, notChecked } = report;
  const state = ending === null ? "has not ended" : `ended with ${ending}`;
  return [
    `Agreement ${agreementId} ${state}${outcome === null ? "" : `, by the verdict ${outcome}`}`,
    "",
    ...report.steps.flatMap(formatStep),
    "",
    `${passed} passed, ${failed} failed, ${notChecked} not checked`,
    "",
  ].join("\n");
}

/** One step, with the values that were compared. */
export function formatStep({ id, title, result, expected, actual, note, basis }: AuditStep): string[] {
  const detail = (name: string, value: string): string =>
    `${" ".repeat(LABEL_WIDTH)}${name.padEnd(9)}${value}`;
  return [
    `${LABELS[result].padEnd(LABEL_WIDTH)}${title} [${id}]`,
    ...(expected === undefined ? [] : [detail("expected", expected)]),
    ...(actual === undefined ? [] : [detail("actual", actual)]),
    detail("note", result === "PASS" && basis === "reported" ? `${note} (as reported)` : note),
  ];
}
