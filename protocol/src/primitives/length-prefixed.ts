/**
 * The fields one behind the other, each behind its length as an unsigned 64-bit big-endian byte count, so that no two
 * lists of fields have the same bytes.
 */
export function lengthPrefixed(fields: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(fields.reduce((size, field) => size + 8 + field.length, 0));
  const view = new DataView(out.buffer);
  let at = 0;
  for (const field of fields) {
    view.setBigUint64(at, BigInt(field.length));
    out.set(field, at + 8);
    at += 8 + field.length;
  }
  return out;
}
