import { z } from "zod";
import { MAX_STEPS, stepRecordSchema } from "../execution/step.ts";
import { hashField, integer, matching, refuseRepeats, text } from "./fields.ts";
import { filesField } from "./files.ts";
import { outputSchema } from "./joint.ts";
import { SCHEMA } from "./limits.ts";
import { reporterIdField } from "./requirement-id.ts";
import { urlField } from "./url.ts";

const linkSchema = z.strictObject({
  url: urlField,
  /** SHA-256 of what the URL served when the submission was made. */
  sha256: hashField,
  /** Its length in bytes. */
  bytes: integer(0, Number.MAX_SAFE_INTEGER),
});

const evidenceSchema = z.strictObject({
  source: text(1, 500),
  claim: text(1, 1000),
  content: text(0, 20_000),
});

const repositorySchema = z.strictObject({
  url: urlField,
  commit: matching(
    /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
    "a full commit id of 40 or 64 lower-case hexadecimal digits",
  ),
});

/** r, s and v of 65 bytes, v 27 or 28, low s. */
const signatureField = matching(/^0x[0-9a-f]{130}$/, "a signature, 0x and 130 lower-case hexadecimal digits");

/** A report that a third party signed by EIP-712 `Report`. */
const reportSchema = z.strictObject({
  reporter: reporterIdField,
  claim: text(1, 200),
  passed: z.boolean(),
  /** Hash of whatever the reporter keeps about it. */
  detailHash: hashField,
  signature: signatureField,
});

/** What a recorder recorded of the agreement's steps, with its signature by EIP-712 `ExecutionTerminal`. */
const executionProofSchema = z.strictObject({
  attestations: z.array(stepRecordSchema).min(1).max(MAX_STEPS),
  /** The chain after the last step. */
  terminal: hashField,
  signature: signatureField,
});

/** What a seller delivers. */
export const submissionSchema = z
  .strictObject({
    schema: z.literal(SCHEMA.submission),
    agreementId: hashField,
    summary: text(0, 20_000),
    files: filesField,
    links: z.array(linkSchema).max(5),
    evidence: z.array(evidenceSchema).max(20),
    repository: z.exactOptional(repositorySchema),
    reports: z.exactOptional(z.array(reportSchema).max(30)),
    execution: z.exactOptional(executionProofSchema),
    /** Under a joint agreement, and only there: what the agent delivers into the workflow. */
    output: z.exactOptional(outputSchema),
  })
  .superRefine(({ reports = [] }, context) => {
    refuseRepeats(
      context,
      reports.map(({ reporter, claim }) => `${reporter}/${claim}`),
      (index) => ["reports", index],
    );
  });

/** A report that a third party signed. */
export type Report = z.infer<typeof reportSchema>;

/** What a recorder recorded of an agent's calls, signed. */
export type ExecutionProof = z.infer<typeof executionProofSchema>;

/** What a seller delivers. `files` has no prototype when it was parsed, so look-ups find own paths only. */
export type Submission = z.infer<typeof submissionSchema>;
