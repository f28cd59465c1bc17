import { z } from "zod";
import { OUTCOMES, type Outcome } from "../verdict/outcome.ts";
import { addressField, chainIdField, hashField, refuseRepeats, reportFault, text } from "./fields.ts";
import { SCHEMA } from "./limits.ts";
import { requirementIdField } from "./requirement-id.ts";
import { DECIDERS, REQUIREMENT_RESULTS, outcomeOf, refuseImpossibleResults } from "./requirement-result.ts";

const requirementResultSchema = z.strictObject({
  id: requirementIdField,
  result: z.enum(REQUIREMENT_RESULTS),
  decidedBy: z.enum(DECIDERS),
});

const judgeSchema = z.strictObject({
  network: text(1, 64),
  chainId: chainIdField,
  consensusMain: addressField,
  contract: addressField,
  codeHash: hashField,
});

/** Fewest and most transactions behind each outcome; an agreement has at most ten rounds. */
const TRANSACTION_COUNT: Record<Outcome, { readonly min: number; readonly max: number }> = {
  PASS: { min: 1, max: 1 },
  FAIL: { min: 1, max: 1 },
  UNDETERMINED: { min: 1, max: 10 },
  WITHHELD: { min: 0, max: 0 },
};

/** What the operators certify: only what every honest one reads alike from finalized public state. */
export const verdictRecordSchema = z
  .strictObject({
    schema: z.literal(SCHEMA.verdict),
    outcome: z.enum(OUTCOMES),
    agreementId: hashField,
    agreementHash: hashField,
    submissionHash: hashField,
    chainId: chainIdField,
    escrow: addressField,
    /** Results from the judge's stored record, in the agreement's order; none unless PASS or FAIL. */
    requirements: z.array(requirementResultSchema).max(30),
    judge: judgeSchema,
    /** The adjudicating transaction; for UNDETERMINED all that ended without a record, in order; for WITHHELD none. */
    transactions: z.array(hashField),
    /** Sender of the adjudicating transaction; only with PASS and FAIL. */
    relayer: z.exactOptional(addressField),
    adjudicationKey: hashField,
    /** SHA-256 of the judge's stored record; only with PASS and FAIL. */
    adjudicationHash: z.exactOptional(hashField),
  })
  .superRefine((record, context) => {
    const { outcome, requirements, transactions } = record;
    const expect = (holds: boolean, member: string): void => {
      if (!holds) {
        reportFault(context, [member], {
          message: `does not fit ${outcome}`,
          hint: "Let buildVerdictRecord make the record.",
        });
      }
    };
    const isJudged = outcome === "PASS" || outcome === "FAIL";
    const count = TRANSACTION_COUNT[outcome];
    expect(isJudged === requirements.length > 0, "requirements");
    expect(isJudged === (record.relayer !== undefined), "relayer");
    expect(isJudged === (record.adjudicationHash !== undefined), "adjudicationHash");
    expect(transactions.length >= count.min && transactions.length <= count.max, "transactions");
    expect(!isJudged || requirements.length === 0 || outcome === outcomeOf(requirements), "outcome");
    refuseImpossibleResults(context, requirements);
    refuseRepeats(context, transactions, (index) => ["transactions", index]);
  });

/** What the operators certify about one submission. */
export type VerdictRecord = z.infer<typeof verdictRecordSchema>;
