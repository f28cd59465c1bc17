import { type AdjudicationRecord, adjudicationRecordSchema } from "./adjudication.ts";
import { type Agreement, agreementSchema } from "./agreement.ts";
import { decodeAs } from "./codec.ts";
import { SCHEMA } from "./limits.ts";
import { type Submission, submissionSchema } from "./submission.ts";
import { type VerdictRecord, verdictRecordSchema } from "./verdict-record.ts";

/**
 * Reads an agreement from its exact canonical bytes.
 *
 * @throws DocumentError with code, place and hint.
 */
export function parseAgreement(source: Uint8Array | string): Agreement {
  return decodeAs(SCHEMA.agreement, agreementSchema, source);
}

/**
 * Reads a submission from its exact canonical bytes.
 *
 * @throws DocumentError with code, place and hint.
 */
export function parseSubmission(source: Uint8Array | string): Submission {
  return decodeAs(SCHEMA.submission, submissionSchema, source);
}

/**
 * Reads the record that the Intelligent Contract stored.
 *
 * @throws DocumentError with code, place and hint.
 */
export function parseAdjudication(source: Uint8Array | string): AdjudicationRecord {
  return decodeAs(SCHEMA.adjudication, adjudicationRecordSchema, source);
}

/**
 * Reads a verdict record from its exact canonical bytes.
 *
 * @throws DocumentError with code, place and hint.
 */
export function parseVerdictRecord(source: Uint8Array | string): VerdictRecord {
  return decodeAs(SCHEMA.verdict, verdictRecordSchema, source);
}
