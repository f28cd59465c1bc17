import { z } from "zod";
import { type Address, ZERO_ADDRESS, isChecksummed, toAddress } from "../primitives/address.ts";
import { type Hex, isHash } from "../primitives/hex.ts";
import { utf8Length } from "../primitives/utf8.ts";
import { ValueError } from "../primitives/value-error.ts";

/** What is wrong with a value, and what to do about it. */
export interface Fault {
  readonly message: string;
  readonly hint: string;
}

/** Raises `fault` at `path` below the value under refinement. */
export function reportFault(context: z.core.$RefinementCtx, path: PropertyKey[], fault: Fault): void {
  context.addIssue({ code: "custom", path, message: fault.message, params: { hint: fault.hint } });
}

/** A schema for text that `examine` finds no fault with; `T` is the type that it then has. */
export function textField<T extends string>(examine: (input: string) => Fault | undefined): z.ZodType<T, T> {
  return z.custom<T>().superRefine((input: unknown, context) => {
    const fault = typeof input === "string" ? examine(input) : noText(input);
    if (fault !== undefined) reportFault(context, [], fault);
  });
}

function noText(input: unknown): Fault {
  return input === undefined
    ? { message: "is missing", hint: "Add it." }
    : { message: "must be text", hint: "Put it in double quotes." };
}

/** Text of `min` to `max` UTF-8 bytes. */
export function text(min: number, max: number): z.ZodType<string, string> {
  return textField((input) => {
    const bytes = utf8Length(input);
    return bytes >= min && bytes <= max
      ? undefined
      : {
          message: `has ${bytes} bytes of UTF-8; ${min} to ${max} are allowed`,
          hint: bytes > max ? "Shorten it." : "Write something.",
        };
  });
}

/** Text that matches `pattern`, described in words as `what`. */
export function matching(pattern: RegExp, what: string): z.ZodType<string, string> {
  return textField((input) =>
    pattern.test(input) ? undefined : { message: `is not ${what}`, hint: `Write ${what}.` },
  );
}

/** An integer of `min` to `max`, both included. */
export function integer(min: number, max: number): z.ZodType<number, number> {
  return z.int().min(min).max(max);
}

/** An EVM chain id. */
export const chainIdField = integer(1, Number.MAX_SAFE_INTEGER);

/** A 32-byte hash, 0x and 64 lower-case digits. */
export const hashField = textField<Hex>((input) =>
  isHash(input)
    ? undefined
    : { message: "is not a 32-byte hash", hint: "Write 0x followed by 64 lower-case hexadecimal digits." },
);

/** A non-zero address in EIP-55 spelling: the document's bytes are hashed, so one account has one spelling. */
export const addressField = textField<Address>((input) => {
  if (!isChecksummed(input)) return spellingFault(input);
  return input === ZERO_ADDRESS
    ? { message: "is the zero address", hint: "Name a real account or contract." }
    : undefined;
});

function spellingFault(input: string): Fault {
  try {
    return { message: `"${input}" is not in EIP-55 spelling`, hint: `Write ${toAddress(input)}.` };
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return error;
  }
}

/** Raises an issue for every item that an earlier one equals. */
export function refuseRepeats(
  context: z.core.$RefinementCtx,
  items: readonly string[],
  pathOf: (index: number) => PropertyKey[],
): void {
  for (const [index, item] of items.entries()) {
    if (items.indexOf(item) < index) {
      reportFault(context, pathOf(index), { message: `repeats ${item}`, hint: "Name each once." });
    }
  }
}
