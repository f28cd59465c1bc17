import type { AdjudicationRecord } from "./adjudication.ts";
import type { Agreement } from "./agreement.ts";
import { encodeAs } from "./codec.ts";
import { DocumentError } from "./error.ts";
import { FORMATS } from "./formats.ts";
import type { Submission } from "./submission.ts";
import type { VerdictRecord } from "./verdict-record.ts";

/** Any document of the protocol, told apart by `schema`. */
export type AnyDocument = Agreement | Submission | AdjudicationRecord | VerdictRecord;

/**
 * Canonical bytes of a document: what is stored, sent and hashed.
 *
 * Nothing is changed on the way: addresses have to be in EIP-55 spelling already (see `toAddress`).
 *
 * @throws DocumentError unless the document is valid and within its format's limit.
 */
export function encodeDocument(document: AnyDocument): Uint8Array {
  const formats = Object.values(FORMATS);
  const format = formats.find(({ tag }) => tag === document.schema);
  if (format === undefined) {
    const tags = formats.map(({ tag }) => `"${tag}"`).join(", ");
    throw new DocumentError("wrong_schema", [
      { path: "schema", message: "names no known format", hint: `Use one of ${tags}.` },
    ]);
  }
  return encodeAs(format, document);
}
