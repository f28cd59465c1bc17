import { documentHash } from "../documents/hash.ts";
import { DocumentError } from "../documents/error.ts";
import { parseAgreement } from "../documents/parse.ts";
import { CanonicalJsonError } from "../json/error.ts";
import type { Hex } from "../primitives/hex.ts";
import { utf8Encode } from "../primitives/utf8.ts";

/**
 * The category that each agreement document declares, by the document's hash; null where it declares none. A hash that
 * is missing is that of a document which was not given.
 */
export type Categories = ReadonlyMap<Hex, string | null>;

/**
 * Reads the categories out of agreement documents. The chain knows documents by their hashes alone, so nobody can
 * count by category without the documents; who has them need not be trusted, since the hash is computed here.
 *
 * @param documents exact bytes or texts from any source. What is no agreement declares nothing.
 */
export function categoriesOf(documents: Iterable<Uint8Array | string>): Categories {
  const categories = new Map<Hex, string | null>();
  for (const document of documents) {
    const bytes = typeof document === "string" ? utf8Encode(document) : document;
    categories.set(documentHash(bytes), categoryIn(bytes));
  }
  return categories;
}

function categoryIn(bytes: Uint8Array): string | null {
  try {
    return parseAgreement(bytes).category ?? null;
  } catch (error) {
    // Anybody can agree on the hash of anything.
    if (error instanceof DocumentError || error instanceof CanonicalJsonError) return null;
    throw error;
  }
}
