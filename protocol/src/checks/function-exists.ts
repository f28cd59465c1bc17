import { z } from "zod";
import { matching } from "../documents/fields.ts";
import { pathField } from "../documents/path.ts";
import { LANGUAGES } from "./source/language.ts";

/** Passes when a function of that name is defined, comments and string literals ignored. */
export const functionExistsSchema = z.strictObject({
  type: z.literal("function_exists"),
  name: matching(/^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/, "an identifier of at most 128 letters, digits, _ and $"),
  language: z.exactOptional(z.enum(LANGUAGES)),
  path: z.exactOptional(pathField),
});
