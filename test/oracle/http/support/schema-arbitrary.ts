import fc from "fast-check";

/** As much of JSON Schema as the API's and the tools' descriptions use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** What strangers send: keys of prototypes, huge and tiny numbers, surrogates, deep nests. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ withBigInt: false, withDate: false, withMap: false, withSet: false, maxDepth: 3 }),
  fc.constantFrom<unknown>(
    ...["__proto__", "constructor", "../../etc/passwd", "%00", "\u2028", "\ud800", "-0", "1e400", "0x", ""],
    ...[null, true, -1, 0, 2 ** 53, 1.5, Number.MAX_VALUE, [], {}, [[[[[[]]]]]]],
  ),
  fc.string({ maxLength: 5_000 }),
);

/**
 * Values by a schema: mostly ones that fit, now and then one that does not.
 *
 * @param known values that mean something to the server, by the pattern that they fit.
 */
export function fromSchema(
  schema: JsonSchema,
  options: {
    readonly resolve: (ref: string) => JsonSchema;
    readonly known: Readonly<Record<string, readonly string[]>>;
  },
): fc.Arbitrary<unknown> {
  const nested = (inner: JsonSchema): fc.Arbitrary<unknown> => fromSchema(inner, options);
  const fitting = (): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined) return nested(options.resolve(schema.$ref));
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return fc.oneof(...choices.map(nested));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    switch (Array.isArray(schema.type) ? (schema.type as string[])[0] : schema.type) {
      case "string":
        return text(schema.pattern, options.known);
      case "integer":
      case "number":
        return fc.integer({
          min: Math.max(schema.minimum ?? 0, Number.MIN_SAFE_INTEGER),
          max: Math.min(schema.maximum ?? 1_000, Number.MAX_SAFE_INTEGER),
        });
      case "boolean":
        return fc.boolean();
      case "array":
        return fc.array(nested(schema.items ?? {}), { maxLength: 4 });
      case "object":
        return object(schema, nested);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  };
  return fc.oneof({ weight: 12, arbitrary: fitting() }, { weight: 1, arbitrary: hostile });
}

function object(
  schema: JsonSchema,
  nested: (inner: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, nested(inner)]),
  );
  const known = fc.record(members, { requiredKeys: required.filter((name) => name in members) as never[] });
  const more = fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return additionalProperties === false
    ? known
    : fc.tuple(known, more).map(([one, other]) => ({ ...other, ...one }));
}

function text(
  pattern: string | undefined,
  known: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string({ maxLength: 200 });
  const made = fc.stringMatching(new RegExp(pattern), { maxLength: 200 });
  const meaningful = known[pattern] ?? [];
  return meaningful.length === 0 ? made : fc.oneof(made, fc.constantFrom(...meaningful));
}

/** Seed and number of runs: fixed, so that a failure is one tomorrow too; a longer hunt takes its own. */
export function fuzzing(runs: number): { readonly seed: number; readonly numRuns: number } {
  return {
    seed: Number(process.env["ASSAY_FUZZ_SEED"] ?? 8_004),
    numRuns: Number(process.env["ASSAY_FUZZ_RUNS"] ?? runs),
  };
}
