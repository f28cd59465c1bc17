import { matching } from "./fields.ts";

/** A requirement's name within its agreement. */
export const requirementIdField = matching(
  /^[A-Za-z0-9._-]{1,64}$/,
  "an id of 1 to 64 letters, digits, dots, underscores and hyphens",
);
