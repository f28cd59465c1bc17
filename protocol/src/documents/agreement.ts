import { z } from "zod";
import { checkSchema } from "../checks/check.ts";
import { stepsField } from "../execution/step.ts";
import {
  addressField,
  chainIdField,
  hashField,
  integer,
  matching,
  refuseRepeats,
  reportFault,
  text,
} from "./fields.ts";
import { jointSchema, refuseUnjointMembers } from "./joint.ts";
import { SCHEMA } from "./limits.ts";
import { reporterIdField, requirementIdField } from "./requirement-id.ts";

const requirementSchema = z.strictObject({
  id: requirementIdField,
  text: text(1, 1000),
  check: z.exactOptional(checkSchema),
});

const adjudicationSchema = z.strictObject({
  /** Name in `NETWORKS`, or of a private network; chain id and ConsensusMain are what identify it. */
  network: text(1, 64),
  chainId: chainIdField,
  consensusMain: addressField,
  contract: addressField,
  /** SHA-256 of the Intelligent Contract's deployed source. */
  codeHash: hashField,
  /** Senders whose transactions count. */
  relayers: z.array(addressField).min(1).max(20),
  /** Fewest validators of a transaction that counts. */
  minValidators: integer(1, 1000),
  /** Finalized transactions without a record that make the outcome UNDETERMINED. */
  rounds: integer(1, 10),
});

const reporterSchema = z.strictObject({
  id: reporterIdField,
  /** The account whose signature makes a report count; neither the buyer's nor the seller's. */
  address: addressField,
});

const executionSchema = z.strictObject({
  /** Of this agreement alone, so that no other walk has its root. */
  nonce: hashField,
  /** The account whose signature makes a walk count; neither the buyer's nor the seller's. */
  recorder: addressField,
  steps: stepsField,
});

/** What a buyer and a seller agree on, in words and checks, and who judges it. */
export const agreementSchema = z
  .strictObject({
    schema: z.literal(SCHEMA.agreement),
    title: text(1, 200),
    task: text(1, 8000),
    /** What kind of work it is; reputation is counted for each. One spelling, so that equal ones compare equal. */
    category: z.exactOptional(
      matching(/^[a-z0-9-]{1,64}$/, "a category of 1 to 64 lower-case letters, digits and hyphens"),
    ),
    /** At least one, but in a joint agreement, which has obligations instead. */
    requirements: z.array(requirementSchema).max(30),
    evidenceRequired: z.array(text(1, 500)).max(20),
    adjudication: adjudicationSchema,
    /** Third parties whose signed reports decide `reported` checks. */
    reporters: z.exactOptional(z.array(reporterSchema).min(1).max(10)),
    /** The calls that `execution_proof` checks hold a delivery to. */
    execution: z.exactOptional(executionSchema),
    /** The two sides of an agreement that a workflow's verdict decides. */
    joint: z.exactOptional(jointSchema),
  })
  .superRefine((agreement, context) => {
    const { requirements, adjudication, reporters = [], execution } = agreement;
    refuseUnjointMembers(context, agreement);
    const ids = requirements.map((requirement) => requirement.id);
    refuseRepeats(context, ids, (index) => ["requirements", index, "id"]);
    refuseRepeats(context, adjudication.relayers, (index) => ["adjudication", "relayers", index]);
    const known = reporters.map((reporter) => reporter.id);
    refuseRepeats(context, known, (index) => ["reporters", index, "id"]);
    refuseRepeats(
      context,
      reporters.map((reporter) => reporter.address),
      (index) => ["reporters", index, "address"],
    );
    for (const [index, { check }] of requirements.entries()) {
      if (check?.type === "reported" && !known.includes(check.reporter)) {
        reportFault(context, ["requirements", index, "check", "reporter"], {
          message: `"${check.reporter}" is no reporter of the agreement`,
          hint: "Add it to reporters, with its address.",
        });
      }
      if (check?.type === "execution_proof" && execution === undefined) {
        reportFault(context, ["requirements", index, "check"], {
          message: "asks for a proof of execution, and the agreement commits to no steps",
          hint: "Add execution, with nonce, recorder and steps.",
        });
      }
    }
  });

/** What a buyer and a seller agree on, in words and checks, and who judges it. */
export type Agreement = z.infer<typeof agreementSchema>;

/** One thing that the delivery must satisfy; judged by the validators' models unless it has a check. */
export type Requirement = z.infer<typeof requirementSchema>;

/** A third party whose signed reports count. */
export type Reporter = z.infer<typeof reporterSchema>;

/** The calls that an agent has to make, in order, and whose record of them counts. */
export type Execution = z.infer<typeof executionSchema>;

/** Who judges, on which GenLayer network, and what makes a judgement count. */
export type AdjudicationPolicy = z.infer<typeof adjudicationSchema>;
