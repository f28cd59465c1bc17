import { type JsonObject, parseStrict } from "@assay/protocol";
import type { Edit } from "./vectors.ts";

/** A copy of the document in `canonical`, with each edit made: a member set, or removed when it has no value. */
export function edited(canonical: string, edits: readonly Edit[]): JsonObject {
  const document = parseStrict(canonical) as JsonObject;
  for (const { path, value } of edits) {
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((node, step) => Reflect.get(node as object, step), document);
    const last = path.at(-1)!;
    if (value === undefined) Reflect.deleteProperty(parent as object, last);
    else Reflect.set(parent as object, last, value);
  }
  return document;
}
