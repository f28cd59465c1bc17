/** One JSON value on a line. Bigints become decimal strings, as everywhere in Assay. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner))}\n`;
}
