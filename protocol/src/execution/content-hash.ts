import type { Hex } from "../primitives/hex.ts";
import { toHash } from "../primitives/hex.ts";
import { sha256 } from "../primitives/sha256.ts";
import { utf8Encode } from "../primitives/utf8.ts";

/**
 * SHA-256 of the method, a space, the target, a line feed, and the SHA-256 of the body as 64 lower-case hexadecimal
 * digits: everything about a request that the chain binds. Headers are not.
 *
 * @param target path and query exactly as in the request line.
 * @param bodyHash SHA-256 of the body's bytes as they are sent, before any transfer coding; of no bytes when there are
 * none.
 * @throws ValueError `hex_malformed`.
 */
export function requestHash(method: string, target: string, bodyHash: Hex): Hex {
  return sha256(utf8Encode(`${method} ${target}\n${digitsOf(bodyHash)}`));
}

/**
 * SHA-256 of the status in three digits, a line feed, and the SHA-256 of the body as 64 lower-case hexadecimal digits:
 * everything about an answer that the chain binds.
 *
 * @throws ValueError `hex_malformed`.
 */
export function responseHash(status: number, bodyHash: Hex): Hex {
  return sha256(utf8Encode(`${status}\n${digitsOf(bodyHash)}`));
}

function digitsOf(hash: Hex): string {
  return toHash(hash).slice(2);
}
