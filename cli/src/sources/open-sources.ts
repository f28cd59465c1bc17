import { statSync } from "node:fs";
import { documentCid, type Evidence, keccak256, sha256, utf8Encode } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import { folderSource } from "./folder.ts";
import { gatewaySource, operatorSource } from "./operator.ts";
import type { Source } from "./source.ts";

/**
 * Sources by how they are written: a URL that ends in `/ipfs` is a gateway, any other URL an operator, the rest folders.
 *
 * @throws UsageError when something is neither a URL nor a folder.
 */
export function openSources(names: readonly string[]): Source[] {
  return names.map((name) => {
    if (/^https?:\/\//.test(name))
      return /\/ipfs\/*$/.test(name) ? gatewaySource(name, documentCid) : operatorSource(name);
    if (statSync(name, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UsageError(
        `--source ${name} is no folder`,
        "Give an operator's URL, an IPFS gateway's URL that ends in /ipfs, or a folder of documents.",
      );
    return folderSource(name);
  });
}

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
