import * as errors from "../errors.ts";

/** A call of the store, as it goes to the thread that has the database. */
export interface Call {
  readonly id: number;
  readonly method: string;
  readonly parameters: readonly unknown[];
}

/** What a call came to. */
export type Reply =
  { readonly id: number; readonly result: unknown } | { readonly id: number; readonly error: WireError };

/** An error as plain data: copies between threads keep neither its class nor its own fields. */
export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly cause: WireError | null;
}

/** The first thing that the thread says: that the database is open, or why it is not. */
export type Opened = "open" | { readonly error: WireError };

const KINDS = new Map<string, { readonly prototype: Error }>(
  Object.entries(errors).filter(([name]) => name.endsWith("Error")) as [string, { prototype: Error }][],
);

export function toWire(error: unknown): WireError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), fields: {}, cause: null };
  const { name, message, cause } = error;
  const own = Object.entries(error).filter(([key]) => !["name", "message", "cause", "stack"].includes(key));
  return {
    name,
    message,
    fields: Object.fromEntries(own),
    cause: cause === undefined ? null : toWire(cause),
  };
}

/** The store's error of that name with its fields; another error keeps its message. */
export function fromWire({ name, message, fields, cause }: WireError): Error {
  const error = new Error(message, cause === null ? undefined : { cause: fromWire(cause) });
  Object.setPrototypeOf(error, (KINDS.get(name) ?? Error).prototype);
  return Object.assign(error, { name, ...fields });
}
