/** A JSON value as documents carry it; numbers are integers within ±(2^53 − 1). */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Those that `parseStrict` returns have no prototype, so inherited names never look present. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
