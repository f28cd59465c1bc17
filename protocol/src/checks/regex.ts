import { z } from "zod";
import { textField } from "../documents/fields.ts";
import { pathField } from "../documents/path.ts";
import { utf8Length } from "../primitives/utf8.ts";
import { MAX_PATTERN_BYTES, patternFault } from "./pattern/pattern.ts";

const patternField = textField((input) => {
  const bytes = utf8Length(input);
  if (bytes < 1 || bytes > MAX_PATTERN_BYTES) {
    return {
      message: `is a pattern of ${bytes} bytes; 1 to ${MAX_PATTERN_BYTES} are allowed`,
      hint: "Look for less at once; several requirements may each have a pattern.",
    };
  }
  const fault = patternFault(input);
  return fault === undefined
    ? undefined
    : {
        message: fault,
        hint: "Use the safe subset: literals, classes, groups, alternatives, bounded or unnested repetition, ^ $ \\b.",
      };
});

/** Passes when the pattern, of a safe subset, matches somewhere in a file's text. */
export const regexSchema = z.strictObject({
  type: z.literal("regex"),
  pattern: patternField,
  path: z.exactOptional(pathField),
});
