import { concat, decodeBase64, encodeBase64, getBytes, recoverAddress, sha256, toUtf8Bytes } from "ethers";
import { z } from "zod";
import { addressField, hashField, matching } from "../documents/fields.ts";
import { DocumentError } from "../documents/error.ts";
import { canonicalize } from "../json/canonicalize.ts";
import { parseStrict } from "../json/parse-strict.ts";
import { type Address, toAddress } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";
import { utf8Encode } from "../primitives/utf8.ts";
import { type Evidence, readEvidence } from "./evidence.ts";

const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
const PAYLOAD_TYPE = "application/vnd.in-toto+json";
/** A URN, because it names a format and is nothing to fetch. */
export const PREDICATE_TYPE = "urn:assay:verdict:1";

const base64Text = matching(/^[A-Za-z0-9+/]*={0,2}$/, "base64");

const envelopeSchema = z.strictObject({
  payloadType: z.literal(PAYLOAD_TYPE),
  payload: base64Text,
  signatures: z.array(z.strictObject({ keyid: addressField, sig: base64Text })).max(20),
});

const subjectSchema = z.strictObject({
  name: z.string(),
  digest: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
});

const statementSchema = z.strictObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(subjectSchema).min(1),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.strictObject({ agreementId: hashField, outcome: z.string().nullable(), bundle: z.unknown() }),
});

/** A DSSE envelope, as JSON. */
export type Envelope = z.infer<typeof envelopeSchema>;

/** What an envelope holds, after its signatures were examined. */
export interface OpenedEnvelope {
  readonly evidence: Evidence;
  /** Who signed the envelope. An exporter's signature adds to the operators' inside; it replaces none. */
  readonly signers: readonly Address[];
}

/**
 * The bundle as an in-toto Statement: the documents are its subjects, the verdict with all its evidence the predicate.
 */
export function statementOf(evidence: Evidence, outcome: string | null): Uint8Array {
  const subject = subjectsOf(evidence).map(([name, hash]) => ({ name, digest: { sha256: hash.slice(2) } }));
  return utf8Encode(
    canonicalize({
      _type: STATEMENT_TYPE,
      subject,
      predicateType: PREDICATE_TYPE,
      predicate: { agreementId: evidence.agreementId, outcome, bundle: evidence },
    }),
  );
}

/** The 32 bytes that an envelope's signer signs with secp256k1: SHA-256 of DSSE's pre-authentication encoding. */
export function envelopeDigest(payload: Uint8Array): Hex {
  const header = `DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `;
  return sha256(concat([toUtf8Bytes(header), payload])) as Hex;
}

/** An envelope around a statement. */
export function sealEnvelope(
  payload: Uint8Array,
  signatures: readonly { readonly signer: Address; /** r, s and v of 65 bytes. */ readonly signature: Hex }[],
): Envelope {
  return {
    payloadType: PAYLOAD_TYPE,
    payload: encodeBase64(payload),
    signatures: signatures.map(({ signer, signature }) => ({ keyid: signer, sig: encodeBase64(signature) })),
  };
}

/** Whether a JSON value looks like an envelope rather than a bundle. */
export function isEnvelope(value: unknown): boolean {
  return typeof value === "object" && value !== null && "payloadType" in value;
}

/**
 * Reads an envelope.
 *
 * @throws DocumentError `invalid` when it, its statement or its bundle is malformed, `mismatch` when a signature is
 * not its key's or the subjects are not the bundle's documents.
 */
export function openEnvelope(value: unknown): OpenedEnvelope {
  const envelope = parseAs(envelopeSchema, value, "envelope");
  const payload = decodeBase64(envelope.payload);
  const digest = envelopeDigest(payload);
  const signers = envelope.signatures.map(({ keyid, sig }, index) => {
    if (signerOf(digest, sig) !== keyid)
      refuse(`signatures[${index}]`, `is not a signature of ${keyid} over this payload`);
    return keyid;
  });
  const statement = parseAs(statementSchema, parseStrict(payload), "payload");
  const evidence = readEvidence(statement.predicate.bundle);
  if (statement.predicate.agreementId !== evidence.agreementId)
    refuse("predicate.agreementId", "is not the bundle's");
  const expected = canonicalize(subjectsOf(evidence).map(([name, hash]) => [name, hash.slice(2)]));
  if (canonicalize(statement.subject.map(({ name, digest: { sha256: hash } }) => [name, hash])) !== expected)
    refuse("subject", "does not name the bundle's documents");
  return { evidence, signers };
}

/** The documents by their names in the statement; those that were not found are no subjects. */
function subjectsOf({ agreementId, documents }: Evidence): [name: string, sha256: Hex][] {
  const found: [string, string | null][] = [
    [`agreement of ${agreementId}`, documents.agreement],
    [`submission to ${agreementId}`, documents.submission],
  ];
  return found.flatMap(([name, text]) => (text === null ? [] : [[name, sha256(toUtf8Bytes(text)) as Hex]]));
}

function signerOf(digest: Hex, signature: string): Address | null {
  try {
    return toAddress(recoverAddress(digest, `0x${hex(decodeBase64(signature))}`));
  } catch {
    return null;
  }
}

function hex(bytes: Uint8Array): string {
  return [...getBytes(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function parseAs<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return refuse([what, ...(issue?.path ?? [])].join("."), issue?.message ?? "is malformed", "invalid");
}

function refuse(path: string, message: string, code: "invalid" | "mismatch" = "mismatch"): never {
  throw new DocumentError(code, [{ path, message, hint: "Export it again with `assay bundle`." }]);
}
