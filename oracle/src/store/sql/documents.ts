import type { Hex } from "@assay/protocol";
import { StoreError } from "../errors.ts";
import type { DocumentKind } from "../rows.ts";
import { integer, text } from "./columns.ts";
import { get, run, type Script } from "./script.ts";

/** Name of the running total of all documents' bytes. */
const TOTAL = "documents.bytes";

export function* insertDocument(
  document: { readonly hash: Hex; readonly kind: DocumentKind; readonly bytes: Uint8Array },
  at: number,
): Script<boolean> {
  const added = yield* run(
    "INSERT INTO documents (hash, kind, bytes, stored_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [document.hash, document.kind, document.bytes, at],
  );
  if (added === 0) return false;
  yield* run("UPDATE totals SET value = value + ? WHERE name = ?", [document.bytes.length, TOTAL]);
  return true;
}

export function* readDocument(
  hash: Hex,
): Script<{ readonly kind: DocumentKind; readonly bytes: Uint8Array } | null> {
  const row = yield* get("SELECT kind, bytes FROM documents WHERE hash = ?", [hash]);
  if (row === undefined) return null;
  const bytes = row["bytes"];
  if (!(bytes instanceof Uint8Array)) throw new StoreError("column bytes holds no bytes");
  return { kind: text(row, "kind") as DocumentKind, bytes: new Uint8Array(bytes) };
}

export function* readDocumentBytes(): Script<number> {
  return integer(yield* get("SELECT value FROM totals WHERE name = ?", [TOTAL]), "value");
}
