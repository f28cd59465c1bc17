import type { z } from "zod";
import { utf8Length } from "../primitives/utf8.ts";
import { type Fault, field } from "./fields.ts";

const MAX_PATH_BYTES = 255;
const CONTROL = /[\u0000-\u001F\u007F-\u009F]/; // eslint-disable-line no-control-regex

/** What keeps `path` from being a normalised relative POSIX path; nothing when it is one. */
export function pathFault(path: string): Fault | undefined {
  const bytes = utf8Length(path);
  if (bytes < 1 || bytes > MAX_PATH_BYTES) {
    return {
      message: `is a path of ${bytes} bytes`,
      hint: `A path has 1 to ${MAX_PATH_BYTES} bytes of UTF-8.`,
    };
  }
  if (CONTROL.test(path)) return { message: "holds a control character", hint: "Rename the file." };
  if (path.includes("\\")) return { message: "holds a backslash", hint: 'Separate folders by "/".' };
  if (path.startsWith("/")) return { message: "is absolute", hint: 'Drop the leading "/".' };
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return { message: "is not normalised", hint: 'Drop empty, "." and ".." segments and a trailing "/".' };
  }
  return undefined;
}

/** A normalised relative POSIX path. */
export const pathField: z.ZodType<string, string> = field<string>((input) =>
  typeof input === "string" ? pathFault(input) : { message: "must be string", hint: "Give a path." },
);
