const KIBIBYTE = 1024;

/** Schema tags, in the order in which the documents come to be. */
export const SCHEMA = {
  agreement: "assay/agreement/1",
  submission: "assay/submission/1",
  adjudication: "assay/adjudication/1",
  verdict: "assay/verdict/1",
} as const;

/** Tag that a document carries in `schema`. */
export type SchemaTag = (typeof SCHEMA)[keyof typeof SCHEMA];

/** Most canonical bytes that a document of each format may have. */
export const MAX_DOCUMENT_BYTES: Readonly<Record<SchemaTag, number>> = {
  "assay/agreement/1": 64 * KIBIBYTE,
  "assay/submission/1": 512 * KIBIBYTE,
  "assay/adjudication/1": 64 * KIBIBYTE,
  "assay/verdict/1": 64 * KIBIBYTE,
};
