import type { ContentfulStatusCode } from "hono/utils/http-status";

/** What a problem's code stands for. */
export interface ProblemKind {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  /** When it is answered, in one sentence. */
  readonly meaning: string;
}

const kind = (status: ContentfulStatusCode, title: string, meaning: string): ProblemKind => ({
  status,
  title,
  meaning,
});

const REQUEST = "The request is not valid";
const DOCUMENT = "The document was refused";
const PREPARATION = "Nothing can be prepared";

/** Every problem that this API answers with, by stable code. Codes are never reused for anything else. */
export const PROBLEMS = {
  malformed_json: kind(
    400,
    REQUEST,
    "The body is no JSON, names a key twice, or holds a number that JSON clients read differently.",
  ),
  invalid_request: kind(
    400,
    REQUEST,
    "A parameter or a member of the body does not fit its schema; `issues` lists what.",
  ),
  malformed_hash: kind(400, REQUEST, "The name of a document is no SHA-256."),
  idempotency_key_malformed: kind(
    400,
    REQUEST,
    "The Idempotency-Key is not 16 to 128 visible ASCII characters.",
  ),
  not_found: kind(404, "Not found", "Nothing has that name here."),
  agreement_unknown: kind(
    404,
    "Not found",
    "This operator has not seen the agreement that an operation is about.",
  ),
  method_not_allowed: kind(
    405,
    "The method is not allowed",
    "The resource exists, and has no such method; Allow lists those it has.",
  ),
  terms_refused: kind(409, PREPARATION, "The escrow would refuse the terms; `issues` lists each reason."),
  signer_conflict: kind(409, PREPARATION, "The account named has no part in the operation."),
  signatures_missing: kind(409, PREPARATION, "Not enough operators' signatures are here yet."),
  nothing_to_deliver: kind(409, PREPARATION, "The verdict moves nothing where the money is."),
  not_settled: kind(409, PREPARATION, "No verdict about the work has settled the agreement."),
  idempotency_key_reused: kind(
    409,
    "The key stands for another request",
    "The Idempotency-Key was used with another body.",
  ),
  too_large: kind(413, "The body is too large", "The body has more bytes than such a request may have."),
  unsupported_media_type: kind(415, REQUEST, "The body's Content-Type is not application/json."),
  hash_mismatch: kind(422, DOCUMENT, "The bytes do not hash to the name."),
  unknown_schema: kind(422, DOCUMENT, "The document is neither an agreement nor a submission."),
  not_canonical: kind(422, DOCUMENT, "The bytes are not the document's canonical form (RFC 8785)."),
  wrong_schema: kind(422, DOCUMENT, "The document's schema tag is another one's."),
  invalid: kind(422, DOCUMENT, "Members are missing, unknown or out of bounds; `issues` lists which."),
  mismatch: kind(422, DOCUMENT, "Two documents that must belong together do not."),
  syntax: kind(422, DOCUMENT, "The bytes are no JSON."),
  duplicate_key: kind(422, DOCUMENT, "A key stands in an object twice."),
  not_utf8: kind(422, DOCUMENT, "The bytes are not UTF-8."),
  byte_order_mark: kind(422, DOCUMENT, "The bytes begin with a byte order mark."),
  trailing_text: kind(422, DOCUMENT, "Something follows the JSON value."),
  lone_surrogate: kind(422, DOCUMENT, "A text holds an unpaired surrogate, which has no UTF-8 form."),
  number_not_integer: kind(422, DOCUMENT, "A number has a fraction or an exponent."),
  number_out_of_range: kind(422, DOCUMENT, "An integer is beyond ±(2^53-1)."),
  negative_zero: kind(422, DOCUMENT, "A number is -0."),
  too_deep: kind(422, DOCUMENT, "The document nests deeper than any format here."),
  not_json: kind(422, DOCUMENT, "A value has no JSON form."),
  rate_limited: kind(
    429,
    "Too many requests",
    "The client, or all clients together, asked more than is allowed; Retry-After says when to ask again.",
  ),
  internal: kind(500, "The operator failed", "Something went wrong here, not with the request."),
  not_ready: kind(503, "Not ready", "The operator has not read the chain yet."),
  chain_unavailable: kind(503, "The chain can't be asked", "The operator's EVM endpoint does not answer."),
  quota_exceeded: kind(507, DOCUMENT, "The operator's document store is full."),
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof PROBLEMS;

export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
