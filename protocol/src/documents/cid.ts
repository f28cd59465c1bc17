import { toHash } from "../primitives/hex.ts";

/** CIDv1, codec `raw`, multihash sha2-256 of 32 bytes. */
const PREFIX = [0x01, 0x55, 0x12, 0x20];
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * The IPFS name (CIDv1, raw, base32) of the document with that SHA-256.
 *
 * @throws ValueError `hex_malformed`.
 */
export function documentCid(documentHash: string): string {
  const digits = toHash(documentHash).slice(2);
  const digest = Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
  return `b${base32([...PREFIX, ...digest])}`;
}

/** RFC 4648 base32, lower case, unpadded. */
function base32(bytes: readonly number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => BASE32.charAt(Number.parseInt(group.padEnd(5, "0"), 2))).join("");
}
