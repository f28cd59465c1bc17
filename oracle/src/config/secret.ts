import { inspect } from "node:util";

const REDACTED = "[redacted]";

/** A value that must not be printed. Every ordinary way of turning it into text yields a placeholder. */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself; call it only where the value is used. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** An RPC or HTTP endpoint. Its URL may hold an access key, so only the origin is ever shown. */
export class Endpoint {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly url: Secret<string>;

  constructor(url: URL) {
    this.origin = url.origin;
    this.url = new Secret(url.href);
  }

  toString(): string {
    return this.origin;
  }

  toJSON(): string {
    return this.origin;
  }
}

/** Replaces every URL in a text by its origin: error messages of libraries quote the full one. */
export function withoutUrls(text: string): string {
  return text.replace(/\b(?:https?|wss?):\/\/[^\s"'<>)\]]+/g, (url) => {
    try {
      return new URL(url).origin;
    } catch {
      return "[url]";
    }
  });
}
