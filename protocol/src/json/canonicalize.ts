import { CanonicalJsonError } from "./error.ts";
import { MAX_DEPTH } from "./limits.ts";

/**
 * Serialises a value by RFC 8785: no white space, members in UTF-16 code-unit order, shortest escapes.
 *
 * Only what JSON can say is taken: `undefined`, bigints, functions, dates, maps and other class instances,
 * sparse arrays and symbol keys are refused rather than dropped or converted.
 *
 * @throws CanonicalJsonError naming the place of the offending value.
 */
export function canonicalize(value: unknown): string {
  return serialize(value, "$", 0);
}

function serialize(value: unknown, path: string, depth: number): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return serializeString(value, path);
  if (typeof value === "number") return serializeInteger(value, path);
  if (typeof value !== "object") {
    throw new CanonicalJsonError("not_json", `${path} is ${typeof value}, which JSON cannot carry`);
  }
  if (depth >= MAX_DEPTH) {
    throw new CanonicalJsonError("too_deep", `${path} nests deeper than ${MAX_DEPTH} levels`);
  }
  return Array.isArray(value) ? serializeArray(value, path, depth) : serializeObject(value, path, depth);
}

function serializeString(text: string, path: string): string {
  if (!text.isWellFormed()) {
    throw new CanonicalJsonError("lone_surrogate", `${path} holds an unpaired surrogate`);
  }
  // ECMAScript's own string form is the one that RFC 8785 prescribes.
  return JSON.stringify(text);
}

function serializeInteger(number: number, path: string): string {
  if (!Number.isInteger(number)) {
    throw new CanonicalJsonError("number_not_integer", `${path} is ${number}, not an integer`);
  }
  if (!Number.isSafeInteger(number)) {
    throw new CanonicalJsonError("number_out_of_range", `${path} is beyond ±(2^53 − 1)`);
  }
  if (Object.is(number, -0)) throw new CanonicalJsonError("negative_zero", `${path} is −0`);
  return String(number);
}

function serializeArray(array: readonly unknown[], path: string, depth: number): string {
  // Array.from visits holes as undefined, which is then refused; map would skip them.
  const items = Array.from(array, (item, index) => serialize(item, `${path}[${index}]`, depth + 1));
  return `[${items.join(",")}]`;
}

function serializeObject(object: object, path: string, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && prototype !== Object.prototype) {
    throw new CanonicalJsonError("not_json", `${path} is a class instance, not a plain object`);
  }
  if (Object.getOwnPropertySymbols(object).length > 0) {
    throw new CanonicalJsonError("not_json", `${path} has a symbol as key`);
  }
  const members = Object.entries(object)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => {
      const memberPath = `${path}[${JSON.stringify(key)}]`;
      return `${serializeString(key, memberPath)}:${serialize(member, memberPath, depth + 1)}`;
    });
  return `{${members.join(",")}}`;
}
