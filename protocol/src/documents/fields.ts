import { z } from "zod";
import { type Address, ZERO_ADDRESS, isChecksummed, toAddress } from "../primitives/address.ts";
import { type Hex, isHash } from "../primitives/hex.ts";
import { utf8Length } from "../primitives/utf8.ts";

/** What is wrong with a value, and what to do; nothing when it is good. */
export interface Fault {
  readonly message: string;
  readonly hint: string;
}

/** A schema for values of type `T` that `examine` finds no fault with. */
export function field<T>(examine: (input: unknown) => Fault | undefined): z.ZodType<T, T> {
  return z.custom<T>().superRefine((input: unknown, context) => {
    const fault = input === undefined ? { message: "is missing", hint: "Add it." } : examine(input);
    if (fault !== undefined) reportFault(context, [], fault);
  });
}

/** Raises `fault` at `path` below the value under refinement. */
export function reportFault(context: z.core.$RefinementCtx, path: PropertyKey[], fault: Fault): void {
  context.addIssue({ code: "custom", path, message: fault.message, params: { hint: fault.hint } });
}

/** Text of `min` to `max` UTF-8 bytes. */
export function text(min: number, max: number): z.ZodType<string, string> {
  return z.string().superRefine((value, context) => {
    const bytes = utf8Length(value);
    if (bytes < min || bytes > max) {
      reportFault(context, [], {
        message: `has ${bytes} bytes of UTF-8; ${min} to ${max} are allowed`,
        hint: bytes > max ? "Shorten it." : "Write something.",
      });
    }
  });
}

/** Text that matches `pattern`, described in words as `what`. */
export function matching(pattern: RegExp, what: string): z.ZodType<string, string> {
  return z.string().superRefine((value, context) => {
    if (!pattern.test(value)) reportFault(context, [], { message: `is not ${what}`, hint: `Write ${what}.` });
  });
}

/** An integer of `min` to `max`, both included. */
export function integer(min: number, max: number): z.ZodType<number, number> {
  return z.int().min(min).max(max);
}

/** An EVM chain id. */
export const chainIdField = integer(1, Number.MAX_SAFE_INTEGER);

/** A 32-byte hash, 0x and 64 lower-case digits. */
export const hashField = field<Hex>((input) =>
  isHash(input)
    ? undefined
    : { message: "is not a 32-byte hash", hint: "Write 0x followed by 64 lower-case hexadecimal digits." },
);

/** A non-zero address in EIP-55 spelling: the document's bytes are hashed, so one account has one spelling. */
export const addressField = field<Address>((input) => {
  if (isChecksummed(input)) {
    return input === ZERO_ADDRESS
      ? { message: "is the zero address", hint: "Name a real account or contract." }
      : undefined;
  }
  return misspelt(input);
});

function misspelt(input: unknown): Fault {
  try {
    return { message: "is not in EIP-55 spelling", hint: `Write ${toAddress(String(input))}.` };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      message: "is not an address with a right EIP-55 checksum",
      hint: "Write the address in EIP-55 spelling; copy it again from its source.",
    };
  }
}

/** Raises an issue for every item whose `keyOf` an earlier item has already. */
export function refuseRepeats<T>(
  context: z.core.$RefinementCtx,
  items: readonly T[],
  keyOf: (item: T) => string,
  pathOf: (index: number) => PropertyKey[],
): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    if (seen.has(key)) {
      reportFault(context, pathOf(index), { message: `repeats ${key}`, hint: "Each may occur once." });
    }
    seen.add(key);
  }
}
