import { z } from "zod";
import { pathField } from "../documents/path.ts";

/** Passes when the submission has a file at exactly that path. */
export const fileExistsSchema = z.strictObject({
  type: z.literal("file_exists"),
  path: pathField,
});
