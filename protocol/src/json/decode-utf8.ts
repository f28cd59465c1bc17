import { CanonicalJsonError } from "./error.ts";

/**
 * Text of UTF-8 bytes; a byte order mark stays in it.
 *
 * @throws CanonicalJsonError `not_utf8`.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CanonicalJsonError("not_utf8", "the bytes are not valid UTF-8");
  }
}
