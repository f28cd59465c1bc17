import { matching } from "./fields.ts";

const idField = matching(
  /^[A-Za-z0-9._-]{1,64}$/,
  "an id of 1 to 64 letters, digits, dots, underscores and hyphens",
);

/** A requirement's name within its agreement. */
export const requirementIdField = idField;

/** A reporter's name within its agreement. */
export const reporterIdField = idField;
