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

/** An absolute http or https URL without credentials. */
export const urlField: z.ZodType<string, string> = textField(urlFault);
