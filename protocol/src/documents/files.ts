import { z } from "zod";
import { type Fault, reportFault } from "./fields.ts";
import { pathFault } from "./path.ts";

const MAX_FILES = 200;

/** Text by normalised path. */
export type Files = Readonly<Record<string, string>>;

/** Files by path; passed on as it is. A zod record would silently drop a file named `__proto__`. */
export const filesField: z.ZodType<Files, Files> = z
  .custom<Files>()
  .superRefine((input: unknown, context) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      reportFault(context, [], {
        message: input === undefined ? "is missing" : "must be an object",
        hint: "Give an object from path to text; {} when there are no files.",
      });
      return;
    }
    const files = Object.entries(input);
    if (files.length > MAX_FILES) {
      reportFault(context, [], {
        message: `has ${files.length} files; ${MAX_FILES} are allowed`,
        hint: "Submit fewer files and link to the rest.",
      });
    }
    for (const [path, content] of files) {
      const fault = pathFault(path) ?? contentFault(content);
      if (fault !== undefined) reportFault(context, [path], fault);
    }
  });

function contentFault(content: unknown): Fault | undefined {
  return typeof content === "string" ? undefined : { message: "must be text", hint: "Give the file's text." };
}
