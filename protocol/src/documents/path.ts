import type { z } from "zod";
import { utf8Length } from "../primitives/utf8.ts";
import { type Fault, textField } from "./fields.ts";

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
  if (CONTROL.test(path)) return { message: "is a path with a control character", hint: "Rename the file." };
  if (path.includes("\\")) return { message: "is a path with a backslash", hint: 'Separate folders by "/".' };
  if (path.startsWith("/")) return { message: "is an absolute path", hint: 'Drop the leading "/".' };
  if (path.split("/").some((segment) => segment === "" || segment === "." || segment === "..")) {
    return {
      message: "is not a normalised path",
      hint: 'Drop empty, "." and ".." segments and a trailing "/".',
    };
  }
  return undefined;
}

/** A normalised relative POSIX path. */
export const pathField: z.ZodType<string, string> = textField(pathFault);
