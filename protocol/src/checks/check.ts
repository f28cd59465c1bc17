import { z } from "zod";
import { fileExistsSchema } from "./file-exists.ts";
import { functionExistsSchema } from "./function-exists.ts";
import { stringPresentSchema } from "./string-present.ts";

/** Every check that code decides, by the name that agreements use. A requirement without one goes to the models. */
export const CHECK_TYPES = ["string_present", "function_exists", "file_exists"] as const;

/** Name of a check. */
export type CheckType = (typeof CHECK_TYPES)[number];

/** A deterministic check of a submission. Types that nobody can run are refused when the agreement is made. */
export const checkSchema = z.discriminatedUnion(
  "type",
  [stringPresentSchema, functionExistsSchema, fileExistsSchema],
  { error: "unknown check type" },
);

/** A deterministic check of a submission. */
export type Check = z.infer<typeof checkSchema>;
