import { z } from "zod";
import { OUTCOMES } from "../verdict/outcome.ts";
import { DECIDERS, REQUIREMENT_RESULTS, outcomeOf } from "./adjudication.ts";
import { addressField, chainIdField, hashField, refuseRepeats, reportFault, text } from "./fields.ts";
import { SCHEMA } from "./limits.ts";
import { requirementIdField } from "./requirement-id.ts";

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

/** Most GenLayer transactions that a record lists: one for each round that an agreement may have. */
const MAX_TRANSACTIONS = 10;

/** How many transactions stand behind each outcome. */
const TRANSACTION_COUNTS = {
  PASS: [1, 1],
  FAIL: [1, 1],
  UNDETERMINED: [1, MAX_TRANSACTIONS],
  WITHHELD: [0, 0],
} as const;

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
    requirements: z.array(requirementResultSchema).max(30),
    judge: judgeSchema,
    /** The adjudicating transaction; for UNDETERMINED all that ended without a record, in order; for WITHHELD none. */
    transactions: z.array(hashField).max(MAX_TRANSACTIONS),
    relayer: z.exactOptional(addressField),
    adjudicationKey: hashField,
    adjudicationHash: z.exactOptional(hashField),
  })
  .superRefine((record, context) => {
    const judged = record.outcome === "PASS" || record.outcome === "FAIL";
    const [least, most] = TRANSACTION_COUNTS[record.outcome];
    const expect = (holds: boolean, member: string, message: string): void => {
      if (!holds)
        reportFault(context, [member], { message, hint: "Build the record with buildVerdictRecord." });
    };
    expect(judged === (record.relayer !== undefined), "relayer", `does not fit ${record.outcome}`);
    expect(
      judged === (record.adjudicationHash !== undefined),
      "adjudicationHash",
      `does not fit ${record.outcome}`,
    );
    expect(judged === record.requirements.length > 0, "requirements", `do not fit ${record.outcome}`);
    expect(
      record.transactions.length >= least && record.transactions.length <= most,
      "transactions",
      `are ${record.transactions.length}, which does not fit ${record.outcome}`,
    );
    if (judged && record.requirements.length > 0) {
      expect(
        record.outcome === outcomeOf(record.requirements),
        "outcome",
        "is not what the results amount to",
      );
    }
    refuseRepeats(
      context,
      record.requirements,
      (requirement) => requirement.id,
      (index) => ["requirements", index, "id"],
    );
    refuseRepeats(context, record.transactions, String, (index) => ["transactions", index]);
  });

/** What the operators certify about one submission. */
export type VerdictRecord = z.infer<typeof verdictRecordSchema>;
