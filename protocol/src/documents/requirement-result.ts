import type { z } from "zod";
import { refuseRepeats, reportFault } from "./fields.ts";

/** Result of one requirement; NOT_JUDGED when a check had failed already and no model was asked. */
export const REQUIREMENT_RESULTS = ["PASS", "FAIL", "NOT_JUDGED"] as const;

/** Who decided a requirement. */
export const DECIDERS = ["check", "model", "none"] as const;

/** What every record tells of a requirement. */
export interface RequirementResult {
  readonly id: string;
  readonly result: (typeof REQUIREMENT_RESULTS)[number];
  readonly decidedBy: (typeof DECIDERS)[number];
}

/** The outcome that requirement results amount to: PASS when all pass, else FAIL. */
export function outcomeOf(requirements: readonly Pick<RequirementResult, "result">[]): "PASS" | "FAIL" {
  return requirements.every((requirement) => requirement.result === "PASS") ? "PASS" : "FAIL";
}

/**
 * Raises an issue for each result that no honest judge writes: an id twice, NOT_JUDGED that someone decided, or
 * NOT_JUDGED although no check had failed.
 */
export function refuseImpossibleResults(
  context: z.core.$RefinementCtx,
  requirements: readonly RequirementResult[],
): void {
  refuseRepeats(
    context,
    requirements.map((requirement) => requirement.id),
    (index) => ["requirements", index, "id"],
  );
  const checkFailed = requirements.some(
    ({ decidedBy, result }) => decidedBy === "check" && result === "FAIL",
  );
  for (const [index, { result, decidedBy }] of requirements.entries()) {
    if ((result === "NOT_JUDGED") !== (decidedBy === "none")) {
      reportFault(context, ["requirements", index, "decidedBy"], {
        message: `cannot be ${decidedBy} with ${result}`,
        hint: 'Say "none" exactly where the result is NOT_JUDGED.',
      });
    } else if (result === "NOT_JUDGED" && !checkFailed) {
      reportFault(context, ["requirements", index, "result"], {
        message: "is NOT_JUDGED although no check failed",
        hint: "Let the models judge it.",
      });
    }
  }
}
