import { COLLECTIONS, ENUMS } from "./entities.ts";
import { IndexError } from "./error.ts";
import type { Collection, Entity, Field, Hex } from "./types.ts";

const HEX = /^0x(?:[0-9a-f]{2})*$/;
const DECIMAL = /^-?\d+$/;

/**
 * Checks an entity as it came against the schema: hex is lower-case, big integers become bigints.
 *
 * @throws {@link IndexError} `MALFORMED` naming the field.
 */
export function parseEntity<Name extends Collection, Asked extends Field<Name>>(
  collection: Name,
  fields: readonly Asked[],
  raw: unknown,
): Entity<Name, Asked> {
  const kinds = COLLECTIONS[collection].fields as Record<string, string>;
  const values = isObject(raw) ? raw : {};
  const entries = fields.map((field) => {
    const kind = kinds[field] ?? "unknown";
    const value = parseValue(kind, values[field]);
    if (value === undefined) {
      throw new IndexError(
        "MALFORMED",
        `${collection}.${field} should be ${kind}, not ${JSON.stringify(values[field])}`,
      );
    }
    return [field, value] as const;
  });
  return Object.fromEntries(entries) as Entity<Name, Asked>;
}

/** Undefined where the value is not of its kind. */
function parseValue(kind: string, value: unknown): unknown {
  if (kind.endsWith("?")) return value === null ? null : parseValue(kind.slice(0, -1), value);
  switch (kind) {
    case "Bytes":
      return isHex(value) ? value : undefined;
    case "BigInt":
      return typeof value === "string" && DECIMAL.test(value) ? BigInt(value) : undefined;
    case "Int":
      return Number.isInteger(value) ? value : undefined;
    case "Reference":
      return isReference(value) ? { id: value.id } : undefined;
    case "References":
      return Array.isArray(value) && value.every(isReference) ? value.map(({ id }) => ({ id })) : undefined;
    default: {
      const values: readonly unknown[] = ENUMS[kind as keyof typeof ENUMS];
      return values.includes(value) ? value : undefined;
    }
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

export function isHex(value: unknown): value is Hex {
  return typeof value === "string" && HEX.test(value);
}

function isReference(value: unknown): value is { id: Hex } {
  return isObject(value) && isHex(value["id"]);
}
