import type { Source } from "@assay/evidence";
import {
  isEnvelope,
  keccak256,
  openEnvelope,
  parseStrict,
  readEvidence,
  sha256,
  type Evidence,
  type Hex,
} from "@assay/protocol";

/** No bundle is larger: two documents, records, and logs with their proofs. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** A file that somebody dropped, as what it turned out to be. */
export type Dropped =
  | { readonly kind: "bundle"; readonly evidence: Evidence; readonly signers: readonly Hex[] }
  /** A document of an agreement, known by its hash alone. */
  | { readonly kind: "document"; readonly bytes: Uint8Array; readonly schema: string };

/**
 * Reads a file: a bundle, an in-toto envelope around one, or a document.
 *
 * @throws CanonicalJsonError when it is no JSON, DocumentError when it is none of these.
 */
export function readDropped(bytes: Uint8Array): Dropped {
  const value = parseStrict(bytes);
  if (isEnvelope(value)) return { kind: "bundle", ...openEnvelope(value) };
  const schema = typeof value === "object" && value !== null && "schema" in value ? value["schema"] : null;
  if (typeof schema === "string" && /^assay\/(agreement|submission|verdict)\/1$/.test(schema))
    return { kind: "document", bytes, schema };
  return { kind: "bundle", evidence: readEvidence(value), signers: [] };
}

/** Dropped documents as a source: whoever asks gets what hashes to the name. */
export function droppedSource(files: readonly Uint8Array[]): Source {
  return {
    name: "the files you gave",
    document: (hash) => Promise.resolve(files.find((bytes) => sha256(bytes) === hash) ?? null),
    verdictRecord(_agreementId, hash) {
      const found = files.find((bytes) => keccak256(bytes) === hash);
      return Promise.resolve(found === undefined ? null : new TextDecoder().decode(found));
    },
  };
}
