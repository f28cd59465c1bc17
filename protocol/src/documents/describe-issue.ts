import type { z } from "zod";
import type { DocumentIssue } from "./error.ts";

type SchemaIssue = z.core.$ZodIssue;

/** Puts an issue that a schema raised into the words of this package. */
export function describeIssue(issue: SchemaIssue): DocumentIssue {
  const path = formatPath(issue.path);
  switch (issue.code) {
    case "custom":
      return { path, message: issue.message, hint: hintOf(issue.params) };
    case "unrecognized_keys": {
      const keys = issue.keys.map((key) => JSON.stringify(key)).join(", ");
      return {
        path,
        message: `unknown member ${keys}`,
        hint: "Remove it; this version of the format has no such member.",
      };
    }
    case "invalid_type":
      return issue.input === undefined
        ? { path, message: `is missing (${issue.expected})`, hint: "Add it." }
        : { path, message: `must be ${issue.expected}`, hint: `Give a value of type ${issue.expected}.` };
    case "too_big":
      return { path, message: `must be at most ${issue.maximum}${unitOf(issue.origin)}`, hint: "Reduce it." };
    case "too_small":
      return {
        path,
        message: `must be at least ${issue.minimum}${unitOf(issue.origin)}`,
        hint: "Increase it.",
      };
    default:
      return {
        path,
        message: issue.message,
        hint: "Compare with the format's description in protocol/README.md.",
      };
  }
}

function hintOf(params: Record<string, unknown> | undefined): string {
  return typeof params?.["hint"] === "string" ? params["hint"] : "";
}

function unitOf(origin: string): string {
  if (origin === "array") return " items";
  if (origin === "string") return " characters";
  return "";
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.map(formatStep).join("").replace(/^\./, "");
}

function formatStep(step: PropertyKey): string {
  if (typeof step === "number") return `[${step}]`;
  const key = String(step);
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
