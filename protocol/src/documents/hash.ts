import type { Hex } from "../primitives/hex.ts";
import { sha256 } from "../primitives/sha256.ts";

/** A document's name in every store, and what is signed about it: SHA-256 of its canonical bytes. */
export function documentHash(bytes: Uint8Array): Hex {
  return sha256(bytes);
}
