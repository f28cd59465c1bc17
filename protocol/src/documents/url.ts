import type { z } from "zod";
import { type Fault, textField } from "./fields.ts";

const MAX_URL_BYTES = 2000;

/**
 * A lower-case scheme, a host name or bracketed IPv6 address, perhaps a port, and the rest in printable ASCII.
 * A pattern rather than a URL parser: the Intelligent Contract has to draw exactly the same line.
 */
const HTTP_URL = /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][\x21-\x7E]*)?$/;

function urlFault(input: string): Fault | undefined {
  if (input.length > MAX_URL_BYTES) {
    return {
      message: `is a URL of ${input.length} bytes`,
      hint: `Use one of at most ${MAX_URL_BYTES} bytes.`,
    };
  }
  return HTTP_URL.test(input)
    ? undefined
    : {
        message: "is not an http or https URL",
        hint: "Write an absolute URL in printable ASCII without credentials; percent-encode the rest.",
      };
}

/**
 * A host name with a dot and a last label that begins with a letter: no address in any notation, no single label.
 * What the name resolves to is for those to check who fetch.
 */
const PUBLIC_HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$/;
const PRIVATE_TOP_LABELS = new Set([
  "local",
  "localhost",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "private",
  "arpa",
]);

/** Whether the host of an http or https URL is a public name. */
export function isPublicUrl(url: string): boolean {
  const authority = /^https?:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
  const host = authority.split(":")[0] ?? "";
  return (
    PUBLIC_HOST.test(host) && !PRIVATE_TOP_LABELS.has(host.slice(host.lastIndexOf(".") + 1).toLowerCase())
  );
}

/** An absolute http or https URL without credentials. */
export const urlField: z.ZodType<string, string> = textField(urlFault);

/** An absolute http or https URL without credentials, on a public host. */
export const publicUrlField: z.ZodType<string, string> = textField(
  (input) =>
    urlFault(input) ??
    (isPublicUrl(input)
      ? undefined
      : {
          message: "is a URL on a private host",
          hint: "Name a public host; validators do not fetch others.",
        }),
);
