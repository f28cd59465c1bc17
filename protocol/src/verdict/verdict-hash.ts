import { encodeDocument } from "../documents/encode.ts";
import type { VerdictRecord } from "../documents/verdict-record.ts";
import type { Hex } from "../primitives/hex.ts";
import { keccak256 } from "../primitives/keccak256.ts";

/**
 * Keccak-256 of a verdict record's canonical bytes: what certificates and the escrow's events carry.
 *
 * @throws DocumentError when the record is not valid.
 */
export function verdictHash(record: VerdictRecord): Hex {
  return keccak256(encodeDocument(record));
}
