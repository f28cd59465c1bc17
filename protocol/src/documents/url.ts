import type { z } from "zod";
import { type Fault, textField } from "./fields.ts";

const MAX_URL_BYTES = 2000;
/** Printable ASCII after a lower-case scheme; other characters have to be percent-encoded. */
const HTTP_URL = /^https?:\/\/[\x21-\x7E]+$/;

function urlFault(input: string): Fault | undefined {
  if (!HTTP_URL.test(input) || !URL.canParse(input)) {
    return {
      message: "is not an http or https URL",
      hint: "Write an absolute URL in printable ASCII; percent-encode the rest.",
    };
  }
  if (input.length > MAX_URL_BYTES) {
    return {
      message: `is a URL of ${input.length} bytes`,
      hint: `Use one of at most ${MAX_URL_BYTES} bytes.`,
    };
  }
  const { username, password } = new URL(input);
  if (username !== "" || password !== "") {
    return {
      message: "is a URL with credentials",
      hint: "Remove user name and password; documents are public.",
    };
  }
  return undefined;
}

/** An absolute http or https URL without credentials. */
export const urlField: z.ZodType<string, string> = textField(urlFault);
