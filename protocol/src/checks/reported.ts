import { z } from "zod";
import { text } from "../documents/fields.ts";
import { reporterIdField } from "../documents/requirement-id.ts";

/** Passes when a named reporter has signed, for these very files, that the claim holds. */
export const reportedSchema = z.strictObject({
  type: z.literal("reported"),
  reporter: reporterIdField,
  claim: text(1, 200),
});
