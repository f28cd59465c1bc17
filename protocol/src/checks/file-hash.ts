import { z } from "zod";
import { hashField } from "../documents/fields.ts";
import { pathField } from "../documents/path.ts";

/** Passes when the file at that path has that SHA-256, of its UTF-8 bytes. */
export const fileHashSchema = z.strictObject({
  type: z.literal("file_hash"),
  path: pathField,
  sha256: hashField,
});
