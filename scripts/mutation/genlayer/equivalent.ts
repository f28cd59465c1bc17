import type { PythonMutant } from "./python.ts";

/** A mutant that no test can notice, and why. */
export interface Equivalent {
  file: "agreement_verifier.py" | "responsibility.py";
  scope: string;
  /** The changed lines, without the space around them. */
  before: string;
  after: string;
  reason: string;
}

/** Every one of them survives all tests; one that a test kills doesn't belong here, and the run says so. */
export const EQUIVALENT: readonly Equivalent[] = [];

/** Whether this is the mutant that was written down. */
export const isOf = (item: Equivalent, { file, scope, before, after }: PythonMutant): boolean =>
  file.endsWith(`/${item.file}`) &&
  item.scope === scope &&
  item.before === before.trim() &&
  item.after === after.trim();
