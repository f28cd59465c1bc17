import { InvalidArgumentError } from "commander";
import { ProtocolError, isHash, toAddress, type Address, type Hex } from "@assay/protocol";

/** A 32-byte id or hash. */
export function hashValue(text: string): Hex {
  const hash = text.toLowerCase();
  if (!isHash(hash)) throw new InvalidArgumentError("Write 0x followed by 64 hexadecimal digits.");
  return hash;
}

/** An address in any spelling that does not contradict its checksum. */
export function addressValue(text: string): Address {
  try {
    return toAddress(text);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new InvalidArgumentError(`${error.message}. ${error.hint}`);
  }
}

/** An HTTP endpoint. */
export function urlValue(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol !== "http:" && protocol !== "https:")
    throw new InvalidArgumentError("Write a URL that begins with http:// or https://.");
  return text;
}

/** A whole number that JSON can carry, not negative. */
export function integerValue(text: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError("Write a whole number.");
  return value;
}

/** Collects what an option is given several times; one value may also list several, separated by commas. */
export function listValue(text: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), ...text.split(",").map((part) => part.trim())].filter((part) => part !== "");
}
