import { z } from "zod";
import { canonicalize } from "../json/canonicalize.ts";
import { CanonicalJsonError } from "../json/error.ts";
import { parseStrict } from "../json/parse-strict.ts";
import { utf8Encode } from "../primitives/utf8.ts";
import { describeIssue } from "./describe-issue.ts";
import { DocumentError, type DocumentErrorCode, type DocumentIssue } from "./error.ts";
import { MAX_DOCUMENT_BYTES, type SchemaTag } from "./limits.ts";

/**
 * Reads a document from its exact bytes.
 *
 * @throws DocumentError unless the bytes are within the format's limit, strict and canonical JSON, of the schema
 * `tag`, and valid by `schema`.
 */
export function decodeAs<T>(tag: SchemaTag, schema: z.ZodType<T>, source: Uint8Array | string): T {
  const bytes = typeof source === "string" ? wellFormedBytes(source) : source;
  refuseOversize(tag, bytes.length);
  const value = translating(() => parseStrict(source));
  if (!isEqual(bytes, utf8Encode(translating(() => canonicalize(value))))) {
    throw refusal(
      "not_canonical",
      "The bytes are not the canonical form of their JSON",
      "Encode the document with encodeDocument and hash those bytes.",
    );
  }
  return validate(tag, schema, value);
}

/**
 * Canonical bytes of a document.
 *
 * @throws DocumentError unless it is valid by `schema` and within the format's limit.
 */
export function encodeAs<T>(tag: SchemaTag, schema: z.ZodType<T>, document: unknown): Uint8Array {
  const bytes = utf8Encode(translating(() => canonicalize(document)));
  validate(tag, schema, document);
  refuseOversize(tag, bytes.length);
  return bytes;
}

function validate<T>(tag: SchemaTag, schema: z.ZodType<T>, value: unknown): T {
  const found = schemaTagOf(value);
  if (found !== tag) {
    throw refusal(
      "wrong_schema",
      `is ${typeof found === "string" ? JSON.stringify(found) : "no text"}, not "${tag}"`,
      `Write "schema":"${tag}", or hand the document to the reader of its own format.`,
      "schema",
    );
  }
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [first, ...others] = result.error.issues.map(describeIssue);
  if (first === undefined) throw result.error;
  throw new DocumentError("invalid", [first, ...others]);
}

/** The `schema` member of a value, if it is an object that has one. */
export function schemaTagOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "schema")
    ? (value as { readonly schema: unknown }).schema
    : undefined;
}

function refuseOversize(tag: SchemaTag, size: number): void {
  const limit = MAX_DOCUMENT_BYTES[tag];
  if (size > limit) {
    throw refusal(
      "too_large",
      `The document has ${size} bytes; ${tag} allows ${limit}`,
      "Shorten it, or move content behind hashed links.",
    );
  }
}

function wellFormedBytes(text: string): Uint8Array {
  if (!text.isWellFormed()) {
    throw refusal(
      "lone_surrogate",
      "The text holds an unpaired surrogate",
      "Replace it; it has no UTF-8 form.",
    );
  }
  return utf8Encode(text);
}

/** Runs `action`, turning refusals of its JSON into refusals of the document. */
function translating<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    throw refusal(error.code, error.message, error.hint, "", { cause: error });
  }
}

function refusal(
  code: DocumentErrorCode,
  message: string,
  hint: string,
  path = "",
  options?: ErrorOptions,
): DocumentError {
  const issue: DocumentIssue = { path, message, hint };
  return new DocumentError(code, [issue], options);
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
