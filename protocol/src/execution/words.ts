import type { Hex } from "../primitives/hex.ts";
import { ValueError } from "../primitives/value-error.ts";
import { keccak256Into } from "./keccak.ts";

/** Bytes of one word of the contract ABI. */
export const WORD = 32;

const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** Values of lower-case hexadecimal digits by character code; 16 for what is none. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = "0123456789abcdef".indexOf(String.fromCharCode(code));
  return value < 0 ? 16 : value;
});
const NO_DIGIT = 16;

/** Bytes that standard ABI encoding takes for text of `length` bytes: its length, and its bytes padded to words. */
export function textSize(length: number): number {
  return WORD + Math.ceil(length / WORD) * WORD;
}

/**
 * Writes a hash as a word.
 *
 * @throws ValueError `hex_malformed` unless it is in its one spelling, as `isHash` says.
 */
export function writeHash(buffer: Uint8Array, at: number, hash: Hex): void {
  let seen = hash.length === 2 + 2 * WORD && hash.startsWith("0x") ? 0 : NO_DIGIT;
  for (let index = 0, text = 2; index < WORD; index += 1, text += 2) {
    const high = DIGITS[hash.charCodeAt(text)] ?? NO_DIGIT;
    const low = DIGITS[hash.charCodeAt(text + 1)] ?? NO_DIGIT;
    seen |= high | low;
    buffer[at + index] = (high << 4) | low;
  }
  if (seen < NO_DIGIT) return;
  throw new ValueError(
    "hex_malformed",
    `"${hash}" is not a 32-byte hash in its one spelling`,
    "Write 0x followed by 64 lower-case hexadecimal digits.",
  );
}

/** Writes an unsigned integer below 2^32 as a word. */
export function writeUint(buffer: Uint8Array, at: number, value: number): void {
  buffer.fill(0, at, at + WORD - 4);
  for (let index = 1; index <= 4; index += 1) buffer[at + WORD - index] = value >>> (8 * (index - 1));
}

/** Writes ASCII text as its length and its padded bytes; `textSize` of them. */
export function writeText(buffer: Uint8Array, at: number, text: string): void {
  writeUint(buffer, at, text.length);
  const start = at + WORD;
  for (let index = 0; index < text.length; index += 1) buffer[start + index] = text.charCodeAt(index);
  buffer.fill(0, start + text.length, at + textSize(text.length));
}

const digest = new Uint8Array(WORD);
const digestView = new DataView(digest.buffer);

/** Keccak-256 of the first `length` bytes of `buffer`. */
export function hashOf(buffer: Uint8Array, length: number): Hex {
  keccak256Into(buffer, length, digestView);
  let hex: Hex = "0x";
  for (const byte of digest) hex += HEX_PAIRS[byte] ?? "";
  return hex;
}
