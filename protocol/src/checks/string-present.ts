import { z } from "zod";
import { text } from "../documents/fields.ts";
import { pathField } from "../documents/path.ts";

/** Passes when `needle` occurs in the text of a file: of the one at `path` when given, else of any. */
export const stringPresentSchema = z.strictObject({
  type: z.literal("string_present"),
  needle: text(1, 1000),
  path: z.exactOptional(pathField),
});
