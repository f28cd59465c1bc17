import { decodeUtf8 } from "./decode-utf8.ts";
import { CanonicalJsonError, type CanonicalJsonErrorCode, type TextPosition } from "./error.ts";
import { MAX_DEPTH } from "./limits.ts";
import type { JsonObject, JsonValue } from "./value.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Reads JSON (RFC 8259) and refuses whatever two readers could understand differently: duplicate keys, unpaired
 * surrogates (raw or escaped), numbers that are not integers within ±(2^53 − 1) written plainly, −0, a byte
 * order mark, bytes that are not UTF-8, text after the value, nesting beyond 64 levels.
 *
 * White space and member order are free here; whether a text is canonical is for the caller to compare.
 *
 * @returns the value; its objects have no prototype, so `__proto__` and `constructor` are keys like any other.
 * @throws CanonicalJsonError with the position.
 */
export function parseStrict(source: string | Uint8Array): JsonValue {
  const text = typeof source === "string" ? source : decodeUtf8(source);
  return new Reader(text).readDocument();
}

const INTEGER = /-?(?:0|[1-9][0-9]*)/y;
const FRACTION_OR_EXPONENT = /[.eE]/;
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001F]*/y; // eslint-disable-line no-control-regex
const FOUR_DIGITS = /^[0-9a-fA-F]{4}$/;
const LITERALS: readonly (readonly [string, JsonValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const SIMPLE_ESCAPES = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Recursive-descent reader over one text; recursion is bounded by MAX_DEPTH. */
class Reader {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): JsonValue {
    if (this.#text.startsWith(BYTE_ORDER_MARK)) {
      this.#fail("byte_order_mark", "the text begins with a byte order mark");
    }
    this.#skipWhiteSpace();
    const value = this.#readValue(0);
    this.#skipWhiteSpace();
    if (this.#offset < this.#text.length) this.#fail("trailing_text", "text follows the JSON value");
    return value;
  }

  #readValue(depth: number): JsonValue {
    switch (this.#peek()) {
      case "{":
        return this.#readObject(depth);
      case "[":
        return this.#readArray(depth);
      case '"':
        return this.#readString();
      default:
        return this.#readScalar();
    }
  }

  #readObject(depth: number): JsonObject {
    this.#open(depth);
    const object = Object.create(null) as Record<string, JsonValue>;
    if (this.#take("}")) return object;
    do {
      this.#skipWhiteSpace();
      const start = this.#offset;
      if (this.#peek() !== '"') this.#fail("syntax", "a key in double quotes was expected");
      const key = this.#readString();
      if (Object.hasOwn(object, key)) {
        this.#fail("duplicate_key", `the key ${JSON.stringify(key)} occurs twice`, start);
      }
      this.#skipWhiteSpace();
      if (!this.#take(":")) this.#fail("syntax", "a colon was expected");
      this.#skipWhiteSpace();
      object[key] = this.#readValue(depth + 1);
      this.#skipWhiteSpace();
    } while (this.#take(","));
    if (!this.#take("}")) this.#fail("syntax", "a comma or a closing brace was expected");
    return object;
  }

  #readArray(depth: number): JsonValue[] {
    this.#open(depth);
    const array: JsonValue[] = [];
    if (this.#take("]")) return array;
    do {
      this.#skipWhiteSpace();
      array.push(this.#readValue(depth + 1));
      this.#skipWhiteSpace();
    } while (this.#take(","));
    if (!this.#take("]")) this.#fail("syntax", "a comma or a closing bracket was expected");
    return array;
  }

  #open(depth: number): void {
    if (depth >= MAX_DEPTH) this.#fail("too_deep", `the text nests deeper than ${MAX_DEPTH} levels`);
    this.#offset += 1;
    this.#skipWhiteSpace();
  }

  #readString(): string {
    const start = this.#offset;
    this.#offset += 1;
    let content = "";
    for (;;) {
      content += this.#match(PLAIN_CHARACTERS) ?? "";
      if (this.#take('"')) break;
      if (!this.#take("\\"))
        this.#fail(
          "syntax",
          this.#atEnd() ? "the string does not end" : "a control character must be escaped",
        );
      content += this.#readEscape();
    }
    // Checked on the whole: a raw high surrogate before an escaped low one is a pair.
    if (!content.isWellFormed())
      this.#fail("lone_surrogate", "the string holds an unpaired surrogate", start);
    return content;
  }

  #readEscape(): string {
    const start = this.#offset - 1;
    const letter = this.#text.charAt(this.#offset);
    this.#offset += 1;
    if (letter === "u") {
      const digits = this.#text.slice(this.#offset, this.#offset + 4);
      if (!FOUR_DIGITS.test(digits)) this.#fail("syntax", "\\u needs four hexadecimal digits", start);
      this.#offset += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    return SIMPLE_ESCAPES.get(letter) ?? this.#fail("syntax", "the escape is unknown", start);
  }

  #readScalar(): JsonValue {
    for (const [word, value] of LITERALS) {
      if (this.#text.startsWith(word, this.#offset)) {
        this.#offset += word.length;
        return value;
      }
    }
    return this.#readInteger();
  }

  #readInteger(): number {
    const start = this.#offset;
    const digits = this.#match(INTEGER);
    if (digits === undefined) {
      this.#fail("syntax", this.#atEnd() ? "the text ends too early" : "a JSON value was expected");
    }
    if (FRACTION_OR_EXPONENT.test(this.#peek())) {
      this.#fail("number_not_integer", "the number has a fraction or an exponent", start);
    }
    if (digits === "-0") this.#fail("negative_zero", "the number is −0", start);
    const number = Number(digits);
    if (!Number.isSafeInteger(number)) {
      this.#fail("number_out_of_range", "the number is beyond ±(2^53 − 1)", start);
    }
    return number;
  }

  #skipWhiteSpace(): void {
    while (" \t\n\r".includes(this.#text[this.#offset] ?? "x")) this.#offset += 1;
  }

  #peek(): string {
    return this.#text.charAt(this.#offset);
  }

  #atEnd(): boolean {
    return this.#offset >= this.#text.length;
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#offset += 1;
    return true;
  }

  /** Consumes what the sticky `pattern` matches here. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0];
    this.#offset += found?.length ?? 0;
    return found;
  }

  #fail(code: CanonicalJsonErrorCode, reason: string, offset = this.#offset): never {
    throw new CanonicalJsonError(code, reason, { position: positionAt(this.#text, offset) });
  }
}

function positionAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split("\n");
  return { offset, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
