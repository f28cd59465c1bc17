import { adjudicationRecordSchema } from "./adjudication.ts";
import { agreementSchema } from "./agreement.ts";
import { SCHEMA } from "./limits.ts";
import { submissionSchema } from "./submission.ts";
import { verdictRecordSchema } from "./verdict-record.ts";

/** Every document format. */
export const FORMATS = {
  agreement: { tag: SCHEMA.agreement, schema: agreementSchema },
  submission: { tag: SCHEMA.submission, schema: submissionSchema },
  adjudication: { tag: SCHEMA.adjudication, schema: adjudicationRecordSchema },
  verdict: { tag: SCHEMA.verdict, schema: verdictRecordSchema },
} as const;
