import { z } from "zod";
import { outcomeForRole, ROLES } from "../responsibility/role.ts";
import { RESPONSIBILITY_VERDICTS } from "../responsibility/workflow.ts";
import { OUTCOMES, type Outcome } from "../verdict/outcome.ts";
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

/** What a workflow's verdict says about one side of a joint agreement. */
const responsibilitySchema = z.strictObject({
  workflowKey: hashField,
  workflowDigest: hashField,
  assessmentDigest: hashField,
  /** Binds all of this to the assessor and its place among the contract's records. */
  recordDigest: hashField,
  sequence: integer(1, Number.MAX_SAFE_INTEGER),
  verdict: z.enum(RESPONSIBILITY_VERDICTS),
  /** Which agent this agreement's seller is. */
  role: z.enum(ROLES),
  /** The other side, whose certificate follows from the same verdict. */
  partner: z.strictObject({ agreementId: hashField, submissionHash: hashField }),
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
    /** Results from the judge's stored record, in the agreement's order; none unless it decided PASS or FAIL. */
    requirements: z.array(requirementResultSchema).max(30),
    judge: judgeSchema,
    /** The adjudicating transaction; for UNDETERMINED all that ended without a record, in order; for WITHHELD none. */
    transactions: z.array(hashField),
    /** Sender of the adjudicating transaction; only where a record was stored. */
    relayer: z.exactOptional(addressField),
    adjudicationKey: hashField,
    /** SHA-256 of the judge's stored record; only with PASS and FAIL by the judge of agreements. */
    adjudicationHash: z.exactOptional(hashField),
    /** Only where a workflow's stored verdict decided. */
    responsibility: z.exactOptional(responsibilitySchema),
  })
  .superRefine((record, context) => {
    const { outcome, requirements, transactions, responsibility } = record;
    const expect = (holds: boolean, member: string): void => {
      if (!holds) {
        reportFault(context, [member], {
          message: `does not fit ${outcome}`,
          hint: "Let buildVerdictRecord make the record.",
        });
      }
    };
    const isAttributed = responsibility !== undefined;
    const isJudged = !isAttributed && (outcome === "PASS" || outcome === "FAIL");
    const count = isAttributed ? { min: 1, max: 1 } : TRANSACTION_COUNT[outcome];
    expect(isJudged === requirements.length > 0, "requirements");
    expect((isJudged || isAttributed) === (record.relayer !== undefined), "relayer");
    expect(isJudged === (record.adjudicationHash !== undefined), "adjudicationHash");
    expect(transactions.length >= count.min && transactions.length <= count.max, "transactions");
    expect(!isJudged || requirements.length === 0 || outcome === outcomeOf(requirements), "outcome");
    expect(
      !isAttributed || outcome === outcomeForRole(responsibility.verdict, responsibility.role),
      "responsibility",
    );
    refuseImpossibleResults(context, requirements);
    refuseRepeats(context, transactions, (index) => ["transactions", index]);
  });

/** What the operators certify about one submission. */
export type VerdictRecord = z.infer<typeof verdictRecordSchema>;

/** What a workflow's verdict says about one side of a joint agreement. */
export type ResponsibilityResult = z.infer<typeof responsibilitySchema>;
