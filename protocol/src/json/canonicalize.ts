import { CanonicalJsonError, type CanonicalJsonErrorCode } from "./error.ts";
import { MAX_DEPTH } from "./limits.ts";
import { formatPath } from "./path.ts";

type Path = readonly PropertyKey[];

/**
 * Serialises a value by RFC 8785: no white space, members in UTF-16 code-unit order, shortest escapes.
 *
 * Only what JSON can say is taken: `undefined`, bigints, functions, dates, maps and other class instances,
 * sparse arrays and symbol keys are refused rather than dropped or converted.
 *
 * @throws CanonicalJsonError with the path of the offending value.
 */
export function canonicalize(value: unknown): string {
  return serialize(value, []);
}

function serialize(value: unknown, path: Path): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return serializeString(value, path);
  if (typeof value === "number") return serializeInteger(value, path);
  if (typeof value !== "object")
    return refuse("not_json", `is ${typeof value}, which JSON cannot carry`, path);
  // Bounds recursion, and with it values that contain themselves.
  if (path.length >= MAX_DEPTH) return refuse("too_deep", `nests deeper than ${MAX_DEPTH} levels`, path);
  return Array.isArray(value) ? serializeArray(value, path) : serializeObject(value, path);
}

function serializeString(text: string, path: Path): string {
  if (!text.isWellFormed()) return refuse("lone_surrogate", "holds an unpaired surrogate", path);
  // ECMAScript's own string form is the one that RFC 8785 prescribes.
  return JSON.stringify(text);
}

function serializeInteger(number: number, path: Path): string {
  if (!Number.isInteger(number)) return refuse("number_not_integer", `is ${number}, not an integer`, path);
  if (!Number.isSafeInteger(number)) return refuse("number_out_of_range", "is beyond ±(2^53 − 1)", path);
  if (Object.is(number, -0)) return refuse("negative_zero", "is −0", path);
  return String(number);
}

function serializeArray(array: readonly unknown[], path: Path): string {
  // Array.from visits holes as undefined, which is then refused; map would skip them.
  const items = Array.from(array, (item, index) => serialize(item, [...path, index]));
  return `[${items.join(",")}]`;
}

function serializeObject(object: object, path: Path): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && prototype !== Object.prototype) {
    return refuse("not_json", "is a class instance, not a plain object", path);
  }
  if (Object.getOwnPropertySymbols(object).length > 0) return refuse("not_json", "has a symbol as key", path);
  const members = Object.entries(object)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => {
      const place = [...path, key];
      return `${serializeString(key, place)}:${serialize(member, place)}`;
    });
  return `{${members.join(",")}}`;
}

function refuse(code: CanonicalJsonErrorCode, reason: string, path: Path): never {
  throw new CanonicalJsonError(code, reason, { path: formatPath(path) });
}
