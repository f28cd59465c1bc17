import { keccak256, sha256, utf8Encode, type Hex } from "@assay/protocol";
import { reasonOf } from "../http.ts";
import type { Source } from "./source.ts";

/** A text that was looked for, or why it was not found. */
export type Found = { readonly text: string } | { readonly reason: string };

/** The document of that SHA-256, from the first source that has it. */
export function findDocument(sources: readonly Source[], hash: Hex): Promise<Found> {
  return find(sources, "document", hash, async (source) => {
    const bytes = await source.document(hash);
    if (bytes === null) return null;
    if (sha256(bytes) !== hash) throw new Error("what it has under this hash has another hash");
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  });
}

/** The verdict record of that Keccak-256, from the first source that has it. */
export function findVerdictRecord(sources: readonly Source[], agreementId: Hex, hash: Hex): Promise<Found> {
  return find(sources, "verdict record", hash, async (source) => {
    const text = await source.verdictRecord(agreementId, hash);
    if (text !== null && keccak256(utf8Encode(text)) !== hash)
      throw new Error("what it has under this hash has another hash");
    return text;
  });
}

async function find(
  sources: readonly Source[],
  what: string,
  hash: Hex,
  ask: (source: Source) => Promise<string | null>,
): Promise<Found> {
  if (sources.length === 0) return { reason: `no source was given for ${what} ${hash}` };
  const answers: string[] = [];
  for (const source of sources) {
    try {
      const text = await ask(source);
      if (text !== null) return { text };
      answers.push(`${source.name} does not have it`);
    } catch (error) {
      answers.push(`${source.name}: ${reasonOf(error)}`);
    }
  }
  return { reason: `${what} ${hash} was not found: ${answers.join("; ")}` };
}
