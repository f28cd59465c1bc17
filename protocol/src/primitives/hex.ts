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
