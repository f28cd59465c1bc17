import { z } from "zod";
import { integer } from "../documents/fields.ts";
import { publicUrlField } from "../documents/url.ts";

/** Passes when every validator's own GET of the URL answers with that status. */
export const httpStatusSchema = z.strictObject({
  type: z.literal("http_status"),
  url: publicUrlField,
  status: integer(100, 599),
});
