import { z } from "zod";
import { CHECK_TYPES } from "../checks/check.ts";
import {
  addressField,
  chainIdField,
  hashField,
  integer,
  refuseRepeats,
  reportFault,
  text,
} from "./fields.ts";
import { SCHEMA } from "./limits.ts";
import { requirementIdField } from "./requirement-id.ts";

/** Result of one requirement; NOT_JUDGED when a check had failed already and no model was asked. */
export const REQUIREMENT_RESULTS = ["PASS", "FAIL", "NOT_JUDGED"] as const;

/** Who decided a requirement. */
export const DECIDERS = ["check", "model", "none"] as const;

const judgedRequirementSchema = z
  .strictObject({
    id: requirementIdField,
    result: z.enum(REQUIREMENT_RESULTS),
    decidedBy: z.enum(DECIDERS),
    check: z.exactOptional(z.enum(CHECK_TYPES)),
    detail: z.exactOptional(text(0, 160)),
  })
  .superRefine((judged, context) => {
    if ((judged.result === "NOT_JUDGED") !== (judged.decidedBy === "none")) {
      reportFault(context, ["decidedBy"], {
        message: `cannot be ${judged.decidedBy} with ${judged.result}`,
        hint: 'NOT_JUDGED and "none" go together.',
      });
    }
    if ((judged.decidedBy === "check") !== (judged.check !== undefined)) {
      reportFault(context, ["check"], {
        message: `does not fit decidedBy ${judged.decidedBy}`,
        hint: "Name the check exactly when a check decided.",
      });
    }
    if (judged.detail !== undefined && judged.decidedBy !== "check") {
      reportFault(context, ["detail"], { message: "is not a check's", hint: "Only checks leave a detail." });
    }
  });

type JudgedRequirementShape = {
  readonly result: (typeof REQUIREMENT_RESULTS)[number];
  readonly decidedBy: (typeof DECIDERS)[number];
};

/** The outcome that requirement results amount to: PASS when all pass, else FAIL. */
export function outcomeOf(requirements: readonly { readonly result: string }[]): "PASS" | "FAIL" {
  return requirements.every((requirement) => requirement.result === "PASS") ? "PASS" : "FAIL";
}

/** Raises an issue when a model was not asked although no check had failed. */
export function refuseUnexplainedSilence(
  context: z.core.$RefinementCtx,
  requirements: readonly JudgedRequirementShape[],
): void {
  const checkFailed = requirements.some((judged) => judged.decidedBy === "check" && judged.result === "FAIL");
  const index = requirements.findIndex((judged) => judged.result === "NOT_JUDGED");
  if (index >= 0 && !checkFailed) {
    reportFault(context, ["requirements", index, "result"], {
      message: "is NOT_JUDGED although no check failed",
      hint: "Let the models judge it.",
    });
  }
}

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
    /** Facts about fetched evidence; none are collected in this version. */
    evidence: z.array(z.never()),
  })
  .superRefine((record, context) => {
    refuseRepeats(
      context,
      record.requirements,
      (judged) => judged.id,
      (index) => ["requirements", index, "id"],
    );
    refuseUnexplainedSilence(context, record.requirements);
    if (record.outcome !== outcomeOf(record.requirements)) {
      reportFault(context, ["outcome"], {
        message: `is ${record.outcome}, which the results do not amount to`,
        hint: "PASS exactly when every requirement passes.",
      });
    }
  });

/** What the Intelligent Contract stores about one submission, once and for ever. */
export type AdjudicationRecord = z.infer<typeof adjudicationRecordSchema>;

/** One requirement with its result. */
export type JudgedRequirement = z.infer<typeof judgedRequirementSchema>;
