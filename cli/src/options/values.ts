import { readFileSync, statSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { ProtocolError, isHash, parseStrict, toAddress, type Address, type Hex } from "@assay/protocol";

/** No file that names an agreement is larger. */
const MAX_FILE_BYTES = 512 * 1024;

/** An agreement's id, or the path of a file that `assay agreement new` wrote and that says it. */
export function agreementIdValue(text: string): Hex {
  const id = text.toLowerCase();
  if (isHash(id)) return id;
  const named = statSync(text, { throwIfNoEntry: false })?.isFile() === true ? idIn(text) : undefined;
  if (named !== undefined) return named;
  throw new InvalidArgumentError(
    "Write 0x followed by 64 hexadecimal digits. The agreement's file will do too.",
  );
}

function idIn(path: string): Hex | undefined {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) return undefined;
    const { agreementId } = Object(parseStrict(readFileSync(path))) as { readonly agreementId?: unknown };
    return typeof agreementId === "string" && isHash(agreementId) ? agreementId : undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
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

/** Collects HTTP endpoints as `listValue` does. */
export function urlListValue(text: string, previous: readonly string[] | undefined): string[] {
  return listValue(text, previous).map(urlValue);
}

/** A whole number that JSON can carry, not negative. */
export function integerValue(text: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError("Write a whole number.");
  return value;
}

/** Bytes, such as a signature or a signed transaction. */
export function bytesValue(text: string): Hex {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(text))
    throw new InvalidArgumentError("Write 0x followed by an even number of hexadecimal digits.");
  return text.toLowerCase() as Hex;
}

/** A share, such as `70%` or `7000bps`, in basis points. */
export function shareValue(text: string): number {
  const [, digits, fraction = "", unit] = /^(\d{1,5})(?:\.(\d{1,2}))?(%|bps)$/.exec(text) ?? [];
  const bps =
    unit === "%"
      ? Number(digits) * 100 + Number(fraction.padEnd(2, "0"))
      : fraction === ""
        ? Number(digits)
        : Number.NaN;
  if (!Number.isInteger(bps) || bps > 10_000)
    throw new InvalidArgumentError("Write a share from 0% to 100%, or in basis points such as 7000bps.");
  return bps;
}

/** Collects what an option is given several times; one value may also list several, separated by commas. */
export function listValue(text: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), ...text.split(",").map((part) => part.trim())].filter((part) => part !== "");
}

/** Collects what an option is given several times, commas and all. */
export function repeatedValue(text: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), text];
}
