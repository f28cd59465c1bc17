import { type AdjudicationRecord, adjudicationRecordSchema } from "./adjudication.ts";
import { type Agreement, agreementSchema } from "./agreement.ts";
import { encodeAs } from "./codec.ts";
import { SCHEMA } from "./limits.ts";
import { type Submission, submissionSchema } from "./submission.ts";
import { type VerdictRecord, verdictRecordSchema } from "./verdict-record.ts";

/** Any document of the protocol, told apart by `schema`. */
export type Document = Agreement | Submission | AdjudicationRecord | VerdictRecord;

/**
 * Canonical bytes of a document: what is stored, sent and hashed.
 *
 * Addresses have to be in EIP-55 spelling already (`toAddress`); nothing is changed on the way.
 *
 * @throws DocumentError unless the document is valid and within its format's limit.
 */
export function encodeDocument(document: Document): Uint8Array {
  switch (document.schema) {
    case SCHEMA.agreement:
      return encodeAs(SCHEMA.agreement, agreementSchema, document);
    case SCHEMA.submission:
      return encodeAs(SCHEMA.submission, submissionSchema, document);
    case SCHEMA.adjudication:
      return encodeAs(SCHEMA.adjudication, adjudicationRecordSchema, document);
    case SCHEMA.verdict:
      return encodeAs(SCHEMA.verdict, verdictRecordSchema, document);
  }
}
