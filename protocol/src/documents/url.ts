import type { z } from "zod";
import { type Fault, field } from "./fields.ts";

const MAX_URL_BYTES = 2000;
/** Printable ASCII after a lower-case scheme; other characters have to be percent-encoded. */
const HTTP_URL = /^https?:\/\/[\x21-\x7E]+$/;

function urlFault(input: unknown): Fault | undefined {
  if (typeof input !== "string" || !HTTP_URL.test(input) || !URL.canParse(input)) {
    return {
      message: "is not an http or https URL",
      hint: "Write an absolute URL in printable ASCII, percent-encoding the rest.",
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
    return { message: "holds credentials", hint: "Remove the user name and password; documents are public." };
  }
  return undefined;
}

/** An absolute http or https URL without credentials. */
export const urlField: z.ZodType<string, string> = field<string>(urlFault);
