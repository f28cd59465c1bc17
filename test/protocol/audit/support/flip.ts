import type { Evidence } from "@assay/protocol";

/** A place inside evidence, and the value there. */
export interface Leaf {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Every value inside that is no object and no array, in order. */
export function leavesOf(value: unknown, path: readonly (string | number)[] = []): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** A copy in which the value at `path` is another one. */
export function replaced<T>(root: T, path: readonly (string | number)[], value: unknown): T {
  const copy = structuredClone(root);
  const parent = path.slice(0, -1).reduce<unknown>((node, step) => Reflect.get(node as object, step), copy);
  Reflect.set(parent as object, path.at(-1)!, value);
  return copy;
}

/** Another value of the same kind, as little different as can be. */
export function flipped(value: unknown): unknown {
  switch (typeof value) {
    case "number":
      return value + 1;
    case "boolean":
      return !value;
    case "string":
      return /^0x[0-9a-fA-F]+$/.test(value) ? flippedAt(value, value.length - 1) : flippedAt(value, 0);
    default:
      throw new TypeError(`nothing to flip in ${JSON.stringify(value)}`);
  }
}

/** The text with the lowest bit of one of its characters flipped; hexadecimal digits stay such. */
export function flippedAt(text: string, index: number): string {
  if (text === "") return "x";
  const character = text.charAt(index);
  const other = /^[0-9a-fA-F]$/.test(character)
    ? (Number.parseInt(character, 16) ^ 1).toString(16)
    : String.fromCharCode(character.charCodeAt(0) ^ 1);
  return text.slice(0, index) + other + text.slice(index + 1);
}

/** Path for messages and for looking up what must notice. */
export function nameOf({ path }: Pick<Leaf, "path">): string {
  return path
    .map((step) => (typeof step === "number" ? "[]" : `.${step}`))
    .join("")
    .slice(1);
}

export type Member = Exclude<keyof Evidence["documents"], "partnerSubmission"> | "verdictRecord" | "stored";

/** The canonical text of a document inside evidence. */
export function textIn(evidence: Evidence, member: Member): string {
  if (member === "verdictRecord") return evidence.verdictRecord!;
  if (member === "stored") return evidence.judge!.record!.record;
  return evidence.documents[member]!;
}

/** The evidence with another text in the place of that document. */
export function withText(evidence: Evidence, member: Member, text: string): Evidence {
  if (member === "verdictRecord") return { ...evidence, verdictRecord: text };
  if (member === "stored") return replaced(evidence, ["judge", "record", "record"], text);
  return { ...evidence, documents: { ...evidence.documents, [member]: text } };
}
