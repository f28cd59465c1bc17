import type { Observation } from "./case.ts";
import { alike, type CaseReport, type Status, type StepReport } from "./compare.ts";

const STATUSES: readonly Status[] = ["same", "known", "differs", "failed", "not shown", "not compared"];
const VALUE_CHARACTERS = 300;

/** How many cases came to what. */
export type Summary = Readonly<Record<Status | "oursUnexpected" | "officialUnexpected", number>>;

/** @returns the counts of all statuses, and of sides that did not give what the cases expect */
export function summarise(reports: readonly CaseReport[]): Summary {
  const counts = STATUSES.map((status) => [
    status,
    reports.filter((report) => report.status === status).length,
  ]);
  return {
    ...(Object.fromEntries(counts) as Record<Status, number>),
    oursUnexpected: reports.filter((report) => !report.oursAsExpected).length,
    officialUnexpected: reports.filter((report) => report.officialAsExpected === false).length,
  };
}

/** @returns the cases that make the check fail */
export function failures(reports: readonly CaseReport[]): CaseReport[] {
  return reports.filter(
    ({ status, oursAsExpected, officialAsExpected }) =>
      status === "differs" || status === "failed" || !oursAsExpected || officialAsExpected === false,
  );
}

/** @returns the table, case by case, with both values where there is something to see, and what it comes to */
export function render(
  reports: readonly CaseReport[],
  summary: Summary,
  run: { readonly host: string; readonly environment: string } | undefined,
): string {
  const lines = reports.flatMap((report) => [
    `${report.status.padEnd(13)} ${report.id}`,
    ...report.why.map((why) => `              ${why}`),
    ...stepsToShow(report).flatMap(renderStep),
  ]);
  const counts = STATUSES.filter((status) => summary[status] > 0).map(
    (status) => `${summary[status]} ${status}`,
  );
  lines.push("", `${reports.length} cases: ${counts.join(", ")}`);
  if (summary.oursUnexpected > 0) {
    lines.push(`Our side did not give what is expected in ${summary.oursUnexpected}.`);
  }
  if (summary.officialUnexpected > 0) {
    lines.push(`The SDK did not give what is expected in ${summary.officialUnexpected}.`);
  }
  lines.push(
    run === undefined
      ? "Nothing was compared: no SDK was given (--sdk PATH). Only our own side ran."
      : `The SDK ran on ${run.environment}, host: ${run.host}.`,
  );
  return `${lines.join("\n")}\n`;
}

function stepsToShow({ status, steps, oursAsExpected, officialAsExpected }: CaseReport): StepReport[] {
  if (status === "known" || status === "differs") {
    const differing = steps.filter(({ ours, official }) => official !== undefined && !alike(ours, official));
    if (differing.length > 0) return differing;
  }
  return oursAsExpected && officialAsExpected !== false ? [] : [...steps];
}

function renderStep({ step, expected, ours, official }: StepReport): string[] {
  return [
    `              step ${step}  expected  ${show(expected)}`,
    `                      ours      ${show(ours)}`,
    ...(official === undefined ? [] : [`                      SDK       ${show(official)}`]),
  ];
}

function show(observation: Observation): string {
  const { votes } = observation;
  const text =
    "vmError" in observation
      ? `VM error (${observation.vmError})`
      : "userError" in observation
        ? `user error ${JSON.stringify(observation.userError)}`
        : JSON.stringify(observation.return);
  const short = text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS)}…` : text;
  return votes === undefined || votes.length === 0 ? short : `${short}, votes ${votes.join(", ")}`;
}
