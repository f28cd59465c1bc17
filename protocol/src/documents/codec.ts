import type { z } from "zod";
import { canonicalize } from "../json/canonicalize.ts";
import { decodeUtf8 } from "../json/decode-utf8.ts";
import { CanonicalJsonError } from "../json/error.ts";
import { parseStrict } from "../json/parse-strict.ts";
import { utf8Encode, utf8Length } from "../primitives/utf8.ts";
import { describeIssue } from "./describe-issue.ts";
import { DocumentError, type DocumentErrorCode } from "./error.ts";
import { MAX_DOCUMENT_BYTES, type SchemaTag } from "./limits.ts";

/** A document format: its tag and what documents under that tag must satisfy. */
export interface Format<T> {
  readonly tag: SchemaTag;
  readonly schema: z.ZodType<T>;
}

/**
 * Reads a document from its exact bytes, or from their text.
 *
 * @throws DocumentError unless they are within the format's limit, UTF-8, strict and canonical JSON, tagged with
 * the format's name and valid by its schema; examined in this order.
 */
export function decodeDocument<T>(format: Format<T>, source: Uint8Array | string): T {
  refuseOversize(format.tag, typeof source === "string" ? utf8Length(source) : source.length);
  const value = refusingAsDocument(() => {
    const text = typeof source === "string" ? source : decodeUtf8(source);
    const parsed = parseStrict(text);
    refuseUnlessEqual(text, canonicalize(parsed));
    return parsed;
  });
  return validate(format, value);
}

/**
 * Canonical bytes of a document.
 *
 * @throws DocumentError unless it has a JSON form, is valid by the format's schema and within its limit.
 */
export function encodeAs(format: Format<unknown>, document: unknown): Uint8Array {
  const bytes = utf8Encode(refusingAsDocument(() => canonicalize(document)));
  validate(format, document);
  refuseOversize(format.tag, bytes.length);
  return bytes;
}

function validate<T>({ tag, schema }: Format<T>, value: unknown): T {
  refuseForeignTag(tag, value);
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [first, ...others] = result.error.issues.map(describeIssue);
  if (first === undefined) throw result.error;
  throw new DocumentError("invalid", [first, ...others]);
}

function refuseForeignTag(tag: SchemaTag, value: unknown): void {
  const found = typeof value === "object" && value !== null && "schema" in value ? value.schema : undefined;
  if (found === tag) return;
  const named = typeof found === "string" ? `is ${JSON.stringify(found)}` : "is not given";
  throw refusal(
    "wrong_schema",
    `${named}; expected "${tag}"`,
    `Hand in a document of format "${tag}".`,
    "schema",
  );
}

function refuseOversize(tag: SchemaTag, size: number): void {
  const limit = MAX_DOCUMENT_BYTES[tag];
  if (size <= limit) return;
  throw refusal(
    "too_large",
    `the document has ${size} bytes; ${tag} allows ${limit}`,
    "Shorten it, or link to content by its hash.",
  );
}

function refuseUnlessEqual(text: string, canonical: string): void {
  if (text === canonical) return;
  let offset = 0;
  while (text[offset] === canonical[offset]) offset += 1;
  throw refusal(
    "not_canonical",
    `the bytes are not the canonical form of their JSON; they differ from it at character ${offset + 1}`,
    "Encode the document by RFC 8785 (encodeDocument does) and hash those bytes.",
  );
}

/** Runs `action`; when it refuses JSON, the document is refused with the same code and hint. */
function refusingAsDocument<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    const isPlaced = error.path !== undefined;
    throw refusal(error.code, isPlaced ? error.reason : error.message, error.hint, error.path, {
      cause: error,
    });
  }
}

function refusal(
  code: DocumentErrorCode,
  message: string,
  hint: string,
  path = "",
  options?: ErrorOptions,
): DocumentError {
  return new DocumentError(code, [{ path, message, hint }], options);
}
