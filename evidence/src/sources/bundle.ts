import { type Evidence, keccak256, sha256, utf8Encode } from "@assay/protocol";
import type { Source } from "./source.ts";

/** The documents inside a bundle. */
export function bundleSource({ documents, verdictRecord }: Evidence): Source {
  const texts = [documents.agreement, documents.submission].flatMap((text) => (text === null ? [] : [text]));
  return {
    name: "the bundle",
    document: (hash) =>
      Promise.resolve(texts.map(utf8Encode).find((bytes) => sha256(bytes) === hash) ?? null),
    verdictRecord: (_agreementId, hash) =>
      Promise.resolve(
        verdictRecord !== null && keccak256(utf8Encode(verdictRecord)) === hash ? verdictRecord : null,
      ),
  };
}
