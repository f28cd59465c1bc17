/**
 * GenVM's calldata: the encoding of arguments, return values and the outputs of nondeterministic blocks. Every value
 * has exactly one encoding; everything else is refused.
 *
 * A value starts with ULEB128(payload * 8 + type), where the payload is an integer, a length or a count.
 */

/** An address inside calldata, told apart from bytes and strings. */
export class CalldataAddress {
  readonly bytes: Uint8Array;

  /** @throws CalldataError when it is not 20 bytes long */
  constructor(bytes: Uint8Array) {
    if (bytes.length !== ADDRESS_BYTES) {
      throw new CalldataError(`an address has ${ADDRESS_BYTES} bytes, not ${bytes.length}`);
    }
    this.bytes = bytes;
  }

  /** @returns 0x-prefixed lower-case hex */
  get hex(): `0x${string}` {
    return `0x${Buffer.from(this.bytes).toString("hex")}`;
  }
}

/** A decoded value. Integers are bigint whatever their size, maps keep their keys in order. */
export type CalldataValue =
  | null
  | boolean
  | bigint
  | string
  | Uint8Array
  | CalldataAddress
  | readonly CalldataValue[]
  | ReadonlyMap<string, CalldataValue>;

/** What can be encoded: also safe integers as numbers, and plain objects as maps. */
export type CalldataInput =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | CalldataAddress
  | readonly CalldataInput[]
  | ReadonlyMap<string, CalldataInput>
  | { readonly [key: string]: CalldataInput };

/** A value that has no calldata, or bytes that are none. */
export class CalldataError extends Error {
  override readonly name = "CalldataError";
}

const ADDRESS_BYTES = 20;
/** Nesting beyond which a value is refused, so that no input exhausts the stack. */
const MAX_DEPTH = 128;

const TYPE = { special: 0n, positive: 1n, negative: 2n, bytes: 3n, string: 4n, array: 5n, map: 6n } as const;
const SPECIAL = { null: 0, false: 8, true: 16, address: 24 } as const;

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * @returns the one encoding of `value`
 * @throws CalldataError for a fraction, an unsafe number, a lone surrogate, a class instance, or too deep nesting
 */
export function encodeCalldata(value: CalldataInput): Uint8Array {
  const chunks: Uint8Array[] = [];
  encodeInto(value, chunks, 0);
  return Buffer.concat(chunks);
}

/**
 * @returns the value that `bytes` encode
 * @throws CalldataError when they are not exactly the one encoding of a value: trailing or missing bytes, keys that are
 * not strictly ascending, padded integers, text that is not UTF-8, unknown types
 */
export function decodeCalldata(bytes: Uint8Array): CalldataValue {
  const reader = new Reader(bytes);
  const value = decodeFrom(reader, 0);
  if (!reader.atEnd) {
    throw new CalldataError("bytes left over after the value");
  }
  return value;
}

function encodeInto(value: CalldataInput, chunks: Uint8Array[], depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new CalldataError(`nested deeper than ${MAX_DEPTH}`);
  }
  if (value === null) {
    chunks.push(Uint8Array.of(SPECIAL.null));
  } else if (typeof value === "boolean") {
    chunks.push(Uint8Array.of(value ? SPECIAL.true : SPECIAL.false));
  } else if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) {
      throw new CalldataError(`${value} is not a safe integer; calldata has no fractions`);
    }
    pushInteger(BigInt(value), chunks);
  } else if (typeof value === "bigint") {
    pushInteger(value, chunks);
  } else if (typeof value === "string") {
    pushString(value, TYPE.string, chunks);
  } else if (value instanceof Uint8Array) {
    chunks.push(head(BigInt(value.length), TYPE.bytes), value);
  } else if (value instanceof CalldataAddress) {
    chunks.push(Uint8Array.of(SPECIAL.address), value.bytes);
  } else if (isArray(value)) {
    chunks.push(head(BigInt(value.length), TYPE.array));
    for (const item of value) {
      encodeInto(item, chunks, depth + 1);
    }
  } else {
    const entries = mapEntries(value)
      .map(([key, item]) => ({ key: encodeText(key), item }))
      .sort((a, b) => Buffer.compare(a.key, b.key));
    chunks.push(head(BigInt(entries.length), TYPE.map));
    for (const { key, item } of entries) {
      chunks.push(uleb(BigInt(key.length)), key);
      encodeInto(item, chunks, depth + 1);
    }
  }
}

// Array.isArray does not narrow readonly arrays.
function isArray(value: object): value is readonly CalldataInput[] {
  return Array.isArray(value);
}

function mapEntries(value: object): [string, CalldataInput][] {
  if (value instanceof Map) {
    return [...(value as ReadonlyMap<string, CalldataInput>)];
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    throw new CalldataError("a class instance has no calldata; pass a plain object or a Map");
  }
  return Object.entries(value as Record<string, CalldataInput>);
}

function pushInteger(value: bigint, chunks: Uint8Array[]): void {
  chunks.push(value >= 0n ? head(value, TYPE.positive) : head(-value - 1n, TYPE.negative));
}

function pushString(text: string, type: bigint, chunks: Uint8Array[]): void {
  const bytes = encodeText(text);
  chunks.push(head(BigInt(bytes.length), type), bytes);
}

function encodeText(text: string): Uint8Array {
  if (!text.isWellFormed()) {
    throw new CalldataError("text with a lone surrogate has no UTF-8 form");
  }
  return utf8.encode(text);
}

function head(payload: bigint, type: bigint): Uint8Array {
  return uleb((payload << 3n) | type);
}

function uleb(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return Uint8Array.from(bytes);
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(count: number): Uint8Array {
    if (count > this.#bytes.length - this.#at) {
      throw new CalldataError("the bytes end in the middle of a value");
    }
    this.#at += count;
    return this.#bytes.slice(this.#at - count, this.#at);
  }

  uleb(): bigint {
    const groups: number[] = [];
    for (;;) {
      const byte = this.take(1)[0] ?? 0;
      groups.push(byte & 0x7f);
      if (byte < 0x80) {
        if (byte === 0 && groups.length > 1) {
          throw new CalldataError("a padded integer");
        }
        return groups.reduceRight((value, group) => (value << 7n) | BigInt(group), 0n);
      }
    }
  }

  /** A length or a count: never more than the bytes that are left, since every item takes one at least. */
  size(value: bigint): number {
    if (value > BigInt(this.#bytes.length - this.#at)) {
      throw new CalldataError("a length beyond the end of the bytes");
    }
    return Number(value);
  }

  text(size: number): string {
    try {
      return strictUtf8.decode(this.take(size));
    } catch (error) {
      throw error instanceof CalldataError ? error : new CalldataError("text that is not UTF-8");
    }
  }
}

function decodeFrom(reader: Reader, depth: number): CalldataValue {
  if (depth > MAX_DEPTH) {
    throw new CalldataError(`nested deeper than ${MAX_DEPTH}`);
  }
  const start = reader.uleb();
  const payload = start >> 3n;
  switch (start & 7n) {
    case TYPE.special:
      return decodeSpecial(start, reader);
    case TYPE.positive:
      return payload;
    case TYPE.negative:
      return -payload - 1n;
    case TYPE.bytes:
      return reader.take(reader.size(payload));
    case TYPE.string:
      return reader.text(reader.size(payload));
    case TYPE.array: {
      const items: CalldataValue[] = [];
      for (let left = reader.size(payload); left > 0; left--) {
        items.push(decodeFrom(reader, depth + 1));
      }
      return items;
    }
    case TYPE.map:
      return decodeMap(reader, reader.size(payload), depth);
    default:
      throw new CalldataError("an unknown type");
  }
}

function decodeSpecial(start: bigint, reader: Reader): CalldataValue {
  switch (Number(start)) {
    case SPECIAL.null:
      return null;
    case SPECIAL.false:
      return false;
    case SPECIAL.true:
      return true;
    case SPECIAL.address:
      return new CalldataAddress(reader.take(ADDRESS_BYTES));
    default:
      throw new CalldataError("an unknown special value");
  }
}

function decodeMap(reader: Reader, count: number, depth: number): ReadonlyMap<string, CalldataValue> {
  const map = new Map<string, CalldataValue>();
  let previous: Uint8Array | undefined;
  for (let left = count; left > 0; left--) {
    const key = reader.text(reader.size(reader.uleb()));
    const bytes = utf8.encode(key);
    if (previous !== undefined && Buffer.compare(previous, bytes) >= 0) {
      throw new CalldataError("map keys that are not strictly ascending");
    }
    previous = bytes;
    map.set(key, decodeFrom(reader, depth + 1));
  }
  return map;
}
