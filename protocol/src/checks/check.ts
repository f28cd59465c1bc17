import { z } from "zod";
import { executionProofSchema } from "./execution-proof.ts";
import { fileExistsSchema } from "./file-exists.ts";
import { fileHashSchema } from "./file-hash.ts";
import { functionExistsSchema } from "./function-exists.ts";
import { httpStatusSchema } from "./http-status.ts";
import { regexSchema } from "./regex.ts";
import { reportedSchema } from "./reported.ts";
import { stringPresentSchema } from "./string-present.ts";

/** Every check that code decides, by the name that agreements use. A requirement without one goes to the models. */
export const CHECK_TYPES = [
  "string_present",
  "regex",
  "function_exists",
  "file_exists",
  "file_hash",
  "http_status",
  "reported",
  "execution_proof",
] as const;

/** Name of a check. */
export type CheckType = (typeof CHECK_TYPES)[number];

/** A deterministic check of a submission. Types that nobody can run are refused when the agreement is made. */
export const checkSchema = z.discriminatedUnion(
  "type",
  [
    stringPresentSchema,
    regexSchema,
    functionExistsSchema,
    fileExistsSchema,
    fileHashSchema,
    httpStatusSchema,
    reportedSchema,
    executionProofSchema,
  ],
  { error: "unknown check type" },
);

/** A deterministic check of a submission. */
export type Check = z.infer<typeof checkSchema>;
