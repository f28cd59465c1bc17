import { ValueError } from "./value-error.ts";

/** 0x-prefixed hexadecimal text. */
export type Hex = `0x${string}`;

/** Thirty-two zero bytes; the place of a transaction id where there is no transaction. */
export const ZERO_HASH: Hex = `0x${"0".repeat(64)}`;

const HASH = /^0x[0-9a-f]{64}$/;

/** Whether `text` is a 32-byte hash in the one spelling that documents allow: 0x and 64 lower-case digits. */
export function isHash(text: unknown): text is Hex {
  return typeof text === "string" && HASH.test(text);
}

/**
 * Reads a 32-byte hash in any letter case and returns its canonical, lower-case spelling.
 *
 * @throws ValueError `hex_malformed` unless it is 0x and 64 hexadecimal digits.
 */
export function toHash(text: string): Hex {
  const hash = text.toLowerCase();
  if (!isHash(hash)) {
    throw new ValueError(
      "hex_malformed",
      `"${text}" is not a 32-byte hash`,
      "Write 0x followed by 64 hexadecimal digits.",
    );
  }
  return hash;
}

/** The value of each hexadecimal digit by its character code; 16 where it is none. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 16 : value;
});

/**
 * The bytes that hexadecimal text stands for. Documents travel as calldata of a megabyte: read digit by digit, without
 * a string for every byte.
 *
 * @throws ValueError `hex_malformed` unless it is 0x and an even number of hexadecimal digits.
 */
export function bytesOf(hex: string): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, (hex.length >> 1) - 1));
  let isHex = hex.length % 2 === 0 && hex.startsWith("0x");
  for (let at = 0; at < bytes.length && isHex; at++) {
    const high = DIGITS[hex.charCodeAt(2 * at + 2)] ?? 16;
    const low = DIGITS[hex.charCodeAt(2 * at + 3)] ?? 16;
    isHex = high < 16 && low < 16;
    bytes[at] = (high << 4) | low;
  }
  if (!isHex)
    throw new ValueError(
      "hex_malformed",
      `"${hex.slice(0, 80)}" is not hexadecimal text`,
      "Write 0x followed by an even number of hexadecimal digits.",
    );
  return bytes;
}
