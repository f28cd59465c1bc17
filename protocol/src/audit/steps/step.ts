import type { CaseFile } from "../case-file.ts";
import type { Basis, Finding } from "../report.ts";

/** One step of every audit. */
export interface StepDefinition {
  readonly id: string;
  readonly title: string;
  readonly basis: Basis;
  examine(file: CaseFile): Finding;
}
