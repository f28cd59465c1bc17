import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { Agreement, Submission } from "@assay/protocol";

/** What buyer and seller write; the network's part of an agreement and the agreement's id are added when it is made. */
export interface Example {
  agreement: Omit<Agreement, "schema" | "adjudication">;
  submission: Omit<Submission, "schema" | "agreementId">;
}

const FOLDERS = {
  "password-reset/lenient": "password-reset/agreement.json",
  "password-reset/strict": "password-reset/agreement.json",
  "research-brief": "research-brief/agreement.json",
} as const;

export type ExampleName = keyof typeof FOLDERS;
export const EXAMPLE_NAMES = Object.keys(FOLDERS) as ExampleName[];

/**
 * Reads one example: its agreement, and the delivery made for it with every file below `deliverable/`.
 * The documents are drafts; `encodeDocument` of the protocol checks them when they become agreement and submission.
 */
export function loadExample(name: ExampleName): Example {
  const folder = join(import.meta.dirname, name);
  const agreement = readJson(join(import.meta.dirname, FOLDERS[name])) as Example["agreement"];
  const notes = readJson(join(folder, "submission.json")) as Pick<Submission, "summary" | "evidence">;
  return { agreement, submission: { ...notes, files: readFiles(join(folder, "deliverable")), links: [] } };
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function readFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}
