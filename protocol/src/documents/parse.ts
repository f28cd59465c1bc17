import type { Hex } from "../primitives/hex.ts";
import type { AdjudicationRecord } from "./adjudication.ts";
import type { Agreement } from "./agreement.ts";
import { decodeDocument } from "./codec.ts";
import { DocumentError } from "./error.ts";
import { FORMATS } from "./formats.ts";
import type { Submission } from "./submission.ts";
import type { VerdictRecord } from "./verdict-record.ts";

/**
 * Reads an agreement from its exact canonical bytes.
 *
 * @throws DocumentError with code, path and hint.
 */
export function parseAgreement(source: Uint8Array | string): Agreement {
  return decodeDocument(FORMATS.agreement, source);
}

/**
 * Reads a submission from its exact canonical bytes.
 *
 * @param agreementId when given, the agreement that it has to be for.
 * @throws DocumentError with code, path and hint; `mismatch` when it is for another agreement.
 */
export function parseSubmission(source: Uint8Array | string, agreementId?: Hex): Submission {
  const submission = decodeDocument(FORMATS.submission, source);
  if (agreementId !== undefined && submission.agreementId !== agreementId) {
    throw new DocumentError("mismatch", [
      {
        path: "agreementId",
        message: `is ${submission.agreementId}, not ${agreementId}`,
        hint: "Make the submission for the agreement that it is handed in for.",
      },
    ]);
  }
  return submission;
}

/**
 * Reads the record that the Intelligent Contract stored from its exact canonical bytes.
 *
 * @throws DocumentError with code, path and hint.
 */
export function parseAdjudication(source: Uint8Array | string): AdjudicationRecord {
  return decodeDocument(FORMATS.adjudication, source);
}

/**
 * Reads a verdict record from its exact canonical bytes.
 *
 * @throws DocumentError with code, path and hint.
 */
export function parseVerdictRecord(source: Uint8Array | string): VerdictRecord {
  return decodeDocument(FORMATS.verdict, source);
}
