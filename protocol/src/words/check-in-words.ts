import type { Check } from "../checks/check.ts";
import { printable } from "./printable.ts";

/** What decides a requirement, in words. */
export function checkInWords(check: Check | undefined): string {
  if (check === undefined)
    return "judged by the validators' models, each for itself; all of them read the same words";
  switch (check.type) {
    case "string_present":
      return `passes when ${where(check.path)} contains the text ${quoted(check.needle)}`;
    case "regex":
      return `passes when ${where(check.path)} matches the pattern /${printable(check.pattern)}/`;
    case "function_exists":
      return `passes when ${where(check.path)} defines a function ${printable(check.name)}${check.language === undefined ? "" : ` in ${check.language}`}; comments and texts in quotes don't count`;
    case "file_exists":
      return `passes when there is a file at exactly ${quoted(check.path)}`;
    case "file_hash":
      return `passes when the file at ${quoted(check.path)} has the SHA-256 ${check.sha256}`;
    case "http_status":
      return `passes when every validator's own GET of ${printable(check.url)} answers with status ${check.status}`;
    case "reported":
      return `passes when the reporter ${quoted(check.reporter)} has signed, for these very files, that ${quoted(check.claim)} holds`;
    case "execution_proof":
      return "passes when the recorded calls replay from the steps agreed on, and the recorder signed their end";
  }
}

function where(path: string | undefined): string {
  return path === undefined ? "some file" : `the file ${quoted(path)}`;
}

function quoted(text: string): string {
  return `"${printable(text)}"`;
}
