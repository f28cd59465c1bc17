// Writes docs/openapi.json, the description of the operator's API, from the schemas that requests are checked with.
// `--check` only compares, and ends with 1 when the file is not what it should be.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "@assay/oracle";

/** Where the description is kept for people and tools that have no operator at hand. */
export const OPENAPI_FILE = join(import.meta.dirname, "../docs/openapi.json");

/** The file's content, as it should be. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

if (import.meta.main) {
  const text = openApiText();
  if (!process.argv.includes("--check")) {
    writeFileSync(OPENAPI_FILE, text);
    process.stderr.write(`wrote ${OPENAPI_FILE}\n`);
  } else if (readFileSync(OPENAPI_FILE, "utf8") !== text) {
    process.stderr.write("docs/openapi.json is not up to date; run npm run openapi\n");
    process.exitCode = 1;
  }
}
