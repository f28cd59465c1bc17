import { z } from "zod";
import { CHECK_TYPES, type CheckType } from "../checks/check.ts";
import { addressField, chainIdField, hashField, integer, reportFault, text } from "./fields.ts";
import { SCHEMA } from "./limits.ts";
import { requirementIdField } from "./requirement-id.ts";
import { urlField } from "./url.ts";
import { DECIDERS, REQUIREMENT_RESULTS, outcomeOf, refuseImpossibleResults } from "./requirement-result.ts";

/** What may become of a link. */
export const LINK_RESULTS = [
  "used",
  "mismatch",
  "unavailable",
  "not_text",
  "too_large",
  "not_public",
] as const;

const judgedRequirementSchema = z
  .strictObject({
    id: requirementIdField,
    result: z.enum(REQUIREMENT_RESULTS),
    decidedBy: z.enum(DECIDERS),
    check: z.exactOptional(z.enum(CHECK_TYPES)),
    detail: z.exactOptional(text(0, 160)),
  })
  .superRefine((judged, context) => {
    const byCheck = judged.decidedBy === "check";
    // A check of the web that nobody made because another check had failed is named too.
    if (judged.decidedBy === "none" ? !isNotMade(judged.check) : byCheck !== (judged.check !== undefined)) {
      reportFault(context, ["check"], {
        message: `does not fit decidedBy ${judged.decidedBy}`,
        hint: "Name the check exactly when a check decided, or would have.",
      });
    }
    if (judged.detail !== undefined && !byCheck) {
      reportFault(context, ["detail"], {
        message: `does not fit decidedBy ${judged.decidedBy}`,
        hint: "Leave it out; only checks leave a detail, models' prose is not agreed upon.",
      });
    }
  });

function isNotMade(check: CheckType | undefined): boolean {
  return check === undefined || check === "http_status";
}

/** What became of one link of the submission. */
const linkFindingSchema = z.strictObject({
  url: urlField,
  /** What the submission names. */
  sha256: hashField,
  /** The status of the answer that was examined; 0 when there was none. */
  status: integer(0, 599),
  /** `used`: the bytes were those named, and the models saw them. Otherwise why they did not. */
  result: z.enum(LINK_RESULTS),
});

/** What the Intelligent Contract stores about one submission, once and for ever. */
export const adjudicationRecordSchema = z
  .strictObject({
    schema: z.literal(SCHEMA.adjudication),
    adjudicationKey: hashField,
    agreementHash: hashField,
    agreementId: hashField,
    chainId: chainIdField,
    escrow: addressField,
    submissionHash: hashField,
    /** The sender of the adjudicating transaction. */
    relayer: addressField,
    /** Counted up by the Intelligent Contract over all its records, from 1. */
    sequence: integer(1, Number.MAX_SAFE_INTEGER),
    outcome: z.enum(["PASS", "FAIL"]),
    requirements: z.array(judgedRequirementSchema).min(1).max(30),
    /** What became of the submission's links; empty when they were not fetched. */
    evidence: z.array(linkFindingSchema).max(5),
  })
  .superRefine((record, context) => {
    refuseImpossibleResults(context, record.requirements);
    const outcome = outcomeOf(record.requirements);
    if (record.outcome !== outcome) {
      reportFault(context, ["outcome"], {
        message: `is ${record.outcome} although the results amount to ${outcome}`,
        hint: "Write PASS exactly when every requirement passes.",
      });
    }
  });

/** What the Intelligent Contract stores about one submission, once and for ever. */
export type AdjudicationRecord = z.infer<typeof adjudicationRecordSchema>;

/** One requirement with its result. */
export type JudgedRequirement = z.infer<typeof judgedRequirementSchema>;
