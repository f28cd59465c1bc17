import { ValueError } from "@assay/protocol";
import { isObject } from "./parse.ts";
import { SourceError } from "./source.ts";

/** What an operator's HTTP API answers with. */
export type Json = Readonly<Record<string, unknown>>;

/** Values that are none of their kind make the whole answer unusable. */
export function checked<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof ValueError)) throw cause;
    throw new SourceError("failed", `The operator's answer is malformed: ${cause.message}`, { cause });
  }
}

export function malformed(what: string): SourceError {
  return new SourceError("failed", `The operator's answer is malformed: it has no ${what}`);
}

export function object(value: unknown, what: string): Json {
  if (isObject(value)) return value;
  throw malformed(what);
}

export function list(value: unknown): Json[] {
  if (!Array.isArray(value)) throw malformed("list");
  return value.map((item) => object(item, "list of objects"));
}

export function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw malformed("text where there should be one");
}

export function count(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw malformed("count where there should be one");
}

export function amount(value: unknown): bigint {
  if (typeof value === "string" && /^\d{1,78}$/.test(value)) return BigInt(value);
  throw malformed("amount where there should be one");
}

/** Unix seconds of an ISO 8601 instant; null for null. */
export function seconds(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  const time = Date.parse(text(value));
  if (Number.isNaN(time)) throw malformed("instant where there should be one");
  return Math.floor(time / 1000);
}
