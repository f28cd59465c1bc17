import { ProtocolError } from "../error.ts";

/** Why a text is not, or a value has no, canonical JSON. */
export type CanonicalJsonErrorCode =
  | "not_utf8"
  | "byte_order_mark"
  | "syntax"
  | "trailing_text"
  | "duplicate_key"
  | "lone_surrogate"
  | "number_not_integer"
  | "number_out_of_range"
  | "negative_zero"
  | "too_deep"
  | "not_json";

/** Where in a text an error lies. */
export interface TextPosition {
  /** UTF-16 code units before the error. */
  readonly offset: number;
  /** Counted from 1; lines end at U+000A. */
  readonly line: number;
  /** UTF-16 code units since the line's start, counted from 1. */
  readonly column: number;
}

/** Where an error lies: `position` when a text was read, `path` when a value was serialised. */
export interface JsonPlace {
  readonly position?: TextPosition;
  /** Such as `requirements[2].id`; empty for the whole value. */
  readonly path?: string;
}

const HINTS: Record<CanonicalJsonErrorCode, string> = {
  not_utf8: "Save the document as UTF-8.",
  byte_order_mark: "Save the document as UTF-8 without a byte order mark.",
  syntax: "Correct the JSON at this place.",
  trailing_text: "Remove everything after the JSON value.",
  duplicate_key: "Keep one of the two members; readers would disagree about which one counts.",
  lone_surrogate: "Replace the unpaired surrogate; it is no Unicode character and has no UTF-8 form.",
  number_not_integer: "Write an integer without fraction or exponent, or put the number into a string.",
  number_out_of_range: "Write integers beyond ±9007199254740991 as decimal strings.",
  negative_zero: "Write 0.",
  too_deep: "Flatten the document; no format here nests deeper.",
  not_json:
    "Use only null, booleans, integers, strings, arrays and plain objects; leave optional members out.",
};

/** A text or value has no canonical JSON form. */
export class CanonicalJsonError extends ProtocolError {
  override readonly name = "CanonicalJsonError";
  readonly code: CanonicalJsonErrorCode;
  /** What is wrong, without the place. */
  readonly reason: string;
  readonly position: TextPosition | undefined;
  readonly path: string | undefined;

  constructor(code: CanonicalJsonErrorCode, reason: string, place: JsonPlace = {}) {
    super(describe(reason, place), HINTS[code]);
    this.code = code;
    this.reason = reason;
    this.position = place.position;
    this.path = place.path;
  }
}

function describe(reason: string, { position, path }: JsonPlace): string {
  if (position !== undefined) return `line ${position.line}, column ${position.column}: ${reason}`;
  return path === undefined || path === "" ? reason : `${path}: ${reason}`;
}
