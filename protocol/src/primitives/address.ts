import { getAddress } from "ethers";
import type { Hex } from "./hex.ts";
import { ValueError } from "./value-error.ts";

/** A 20-byte account or contract address as 0x-prefixed text; EIP-55 wherever this package returns one. */
export type Address = Hex;

/** The address of nobody. */
export const ZERO_ADDRESS: Address = `0x${"0".repeat(40)}`;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * Reads an address in all-lower, all-upper or EIP-55 spelling and returns the EIP-55 spelling.
 *
 * @throws ValueError `address_malformed` unless it is 0x and 40 hexadecimal digits;
 * `address_checksum` when letter case is mixed and disagrees with EIP-55.
 */
export function toAddress(text: string): Address {
  if (!ADDRESS.test(text)) {
    throw new ValueError(
      "address_malformed",
      `"${text}" is not an address`,
      "Write 0x followed by 40 hexadecimal digits.",
    );
  }
  const checksummed = checksum(text);
  const digits = text.slice(2);
  const singleCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!singleCase && text !== checksummed) {
    throw new ValueError(
      "address_checksum",
      `"${text}" has a wrong EIP-55 checksum`,
      "Copy the address again from its source; a digit is probably mistyped.",
    );
  }
  return checksummed;
}

/** Whether `text` is an address in exactly its EIP-55 spelling. */
export function isChecksummed(text: unknown): text is Address {
  return typeof text === "string" && ADDRESS.test(text) && checksum(text) === text;
}

/** Whether two addresses are the same account, whatever their letter case. */
export function isSameAddress(one: Address, other: Address): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Spellings found lately. A service reads the same few contracts and members again and again. */
const spellings = new Map<string, Address>();
const MAX_SPELLINGS = 4_096;

function checksum(text: string): Address {
  const key = text.toLowerCase();
  let spelling = spellings.get(key);
  if (spelling === undefined) {
    spelling = getAddress(key) as Address;
    if (spellings.size >= MAX_SPELLINGS) spellings.clear();
    spellings.set(key, spelling);
  }
  return spelling;
}
