import {
  DocumentError,
  MAX_DOCUMENT_BYTES,
  SCHEMA,
  documentHash,
  parseAgreement,
  parseSubmission,
  type Agreement,
  type Hex,
  type Submission,
} from "@assay/protocol";
import type { Clock } from "../observe/clock.ts";
import type { DocumentKind, Store } from "../store/index.ts";
import { DocumentRefusedError, hashMismatch } from "./errors.ts";
import { ParsedDocuments, type StoredDocument } from "./parsed.ts";

/** No document of any kind is larger, in bytes. */
export const LARGEST_DOCUMENT = Math.max(
  MAX_DOCUMENT_BYTES[SCHEMA.agreement],
  MAX_DOCUMENT_BYTES[SCHEMA.submission],
);

/** Where else a document may be had: fellow operators, a gateway. Their bytes are re-hashed. */
export interface DocumentSource {
  readonly name: string;
  /** Null when the source does not have it. */
  fetch(hash: Hex): Promise<Uint8Array | null>;
}

/** Content-addressed store of the documents that agreements and submissions commit to. */
export interface Documents {
  /**
   * Takes a document under its SHA-256.
   *
   * @returns whether it is new here.
   * @throws DocumentRefusedError with the reason and what to do about it.
   */
  put(hash: Hex, bytes: Uint8Array): Promise<boolean>;
  /** The bytes, or null when this operator does not have them. */
  get(hash: Hex): Promise<Uint8Array | null>;
  /** The agreement of that hash, from here or from another source; null when nobody has it. */
  agreement(hash: Hex): Promise<StoredDocument<Agreement> | null>;
  /** The submission of that hash, likewise. */
  submission(hash: Hex): Promise<StoredDocument<Submission> | null>;
}

export function createDocuments(options: {
  readonly store: Store;
  readonly clock: Clock;
  readonly quotaBytes: number;
  readonly sources: readonly DocumentSource[];
  /** Told of every document that is new here. */
  readonly added?: (hash: Hex) => void;
}): Documents {
  const { store, clock, quotaBytes, sources, added: tell = () => undefined } = options;

  const agreements = new ParsedDocuments<Agreement>();
  const submissions = new ParsedDocuments<Submission>();

  async function put(hash: Hex, bytes: Uint8Array): Promise<boolean> {
    const kind = checkDocument(hash, bytes);
    if ((await store.documentBytes()) + bytes.length > quotaBytes && (await store.document(hash)) === null)
      throw new DocumentRefusedError(
        "quota_exceeded",
        "this operator's document store is full",
        "Offer the document to another operator of the quorum, or ask this one to raise ASSAY_DOCUMENT_QUOTA_BYTES.",
      );
    const added = await store.putDocument({ hash, kind, bytes }, clock.now());
    if (!added) return false;
    tell(hash);
    await store.wakeDocument(hash, clock.now());
    return true;
  }

  async function get(hash: Hex): Promise<Uint8Array | null> {
    return (await store.document(hash))?.bytes ?? null;
  }

  /** From here, else from the first source whose bytes are right; those are kept. */
  async function obtain(hash: Hex): Promise<Uint8Array | null> {
    const own = await get(hash);
    if (own !== null) return own;
    for (const source of sources) {
      // A source that fails or lies is only a source that has nothing.
      const bytes = await source.fetch(hash).catch(() => null);
      if (bytes === null) continue;
      try {
        await put(hash, bytes);
        return bytes;
      } catch (error) {
        if (!(error instanceof DocumentRefusedError)) throw error;
      }
    }
    return null;
  }

  async function read<T>(
    hash: Hex,
    parse: (bytes: Uint8Array) => T,
    parsed: ParsedDocuments<T>,
  ): Promise<StoredDocument<T> | null> {
    const known = parsed.get(hash);
    if (known !== null) return known;
    const bytes = await obtain(hash);
    if (bytes === null) return null;
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      const document = { document: parse(bytes), text };
      parsed.keep(hash, document);
      return document;
    } catch (error) {
      // A document of the other kind is not the one that was promised.
      if (error instanceof DocumentError) return null;
      throw error;
    }
  }

  return {
    put,
    get,
    agreement: (hash) => read(hash, parseAgreement, agreements),
    submission: (hash) => read(hash, parseSubmission, submissions),
  };
}

/**
 * Checks bytes against their name and their format.
 *
 * @throws DocumentRefusedError
 */
export function checkDocument(hash: Hex, bytes: Uint8Array): DocumentKind {
  if (bytes.length > LARGEST_DOCUMENT) throw tooLarge(LARGEST_DOCUMENT);
  const found = documentHash(bytes);
  if (found !== hash) throw hashMismatch(hash, found);
  try {
    parseSubmission(bytes);
    return "submission";
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (error.code !== "wrong_schema") throw asRefusal(error);
  }
  try {
    parseAgreement(bytes);
    return "agreement";
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (error.code === "wrong_schema")
      throw new DocumentRefusedError(
        "unknown_schema",
        `the document's schema is neither ${SCHEMA.agreement} nor ${SCHEMA.submission}`,
        "Only agreements and submissions are stored here.",
      );
    throw asRefusal(error);
  }
}

export function tooLarge(limit: number): DocumentRefusedError {
  return new DocumentRefusedError(
    "too_large",
    `the document is larger than ${limit} bytes`,
    "Shorten it, or move content into linked files and give their SHA-256.",
  );
}

function asRefusal(error: DocumentError): DocumentRefusedError {
  return new DocumentRefusedError(error.code, error.message, error.hint, error.issues);
}
