const encoder = new TextEncoder();

/** UTF-8 bytes of `text`. Lone surrogates must have been refused before: they would become U+FFFD here. */
export function utf8Encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Number of UTF-8 bytes in `text`. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
