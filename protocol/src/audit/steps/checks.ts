import { notChecked } from "../finding.ts";
import type { StepDefinition } from "./step.ts";

/** What code decides is decided again. */
export const CHECK_STEPS: readonly StepDefinition[] = [
  {
    id: "checks",
    title: "The agreement's checks decide the same when run again",
    basis: "computed",
    examine: () => notChecked("this build has no second implementation of the checks"),
  },
];
