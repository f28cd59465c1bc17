import type { z } from "zod";
import { formatPath } from "../json/path.ts";
import type { DocumentIssue } from "./error.ts";
import type { Fault } from "./fields.ts";

/** Names of types, where the schema library's own would puzzle a reader. */
const TYPE_NAMES = new Map([
  ["int", "an integer"],
  ["number", "an integer"],
  ["string", "text"],
  ["array", "an array"],
  ["tuple", "an array"],
  ["object", "an object"],
]);

/** Puts an issue that a schema raised into the words of this package. */
export function describeIssue(issue: z.core.$ZodIssue): DocumentIssue {
  return { path: formatPath(issue.path), ...faultOf(issue) };
}

function faultOf(issue: z.core.$ZodIssue): Fault {
  switch (issue.code) {
    case "custom":
      return { message: issue.message, hint: String(issue.params?.["hint"]) };
    case "unrecognized_keys":
      return {
        message: `unknown member ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`,
        hint: "Remove what this version of the format does not know.",
      };
    case "invalid_type": {
      const type = TYPE_NAMES.get(issue.expected) ?? issue.expected;
      return issue.input === undefined
        ? { message: "is missing", hint: `Add ${type}.` }
        : { message: `must be ${type}`, hint: `Put ${type} here.` };
    }
    case "invalid_value": {
      const values = issue.values.map((value) => JSON.stringify(value)).join(", ");
      return { message: "is none of the known values", hint: `Choose one of ${values}.` };
    }
    case "invalid_union":
      return { message: issue.message, hint: unionHint(issue) };
    case "too_big":
      return isCount(issue.origin)
        ? { message: `has more than ${issue.maximum} items`, hint: "Remove some." }
        : { message: `is more than ${issue.maximum}`, hint: "Reduce it." };
    case "too_small":
      return isCount(issue.origin)
        ? { message: `has fewer items than ${issue.minimum}`, hint: "Add some." }
        : { message: `is less than ${issue.minimum}`, hint: "Increase it." };
    default:
      return { message: issue.message, hint: "Compare it with the format's description." };
  }
}

/** Unions here are told apart by one member, so an unknown value of it has a list of known ones. */
function unionHint(issue: z.core.$ZodIssueInvalidUnion): string {
  const known = "options" in issue ? (issue.options ?? []).map((option) => JSON.stringify(option)) : [];
  return `Use one of ${known.join(", ")}.`;
}

function isCount(origin: string): boolean {
  return origin === "array";
}
