import { MAX_DOCUMENT_BYTES, SCHEMA, shortened } from "@assay/protocol";
import { table } from "../output/table.ts";
import type { Collected } from "./collect.ts";
import type { Prepared, Preview } from "./submission.ts";

/** How many left-out paths are named. */
const MAX_NAMED = 8;

/** A draft submission for people: size, files, and what is known about each requirement. */
export function previewLines(
  collected: Collected,
  { submissionHash, document }: Prepared,
  previews: readonly Preview[],
): string[] {
  const paths = Object.keys(collected.files);
  return [
    `Submission ${submissionHash}`,
    `  ${paths.length} files of at most 200, ${document.length} bytes of at most ${MAX_DOCUMENT_BYTES[SCHEMA.submission]}`,
    ...paths.map((path) => `  ${shortened(path, 100)}`),
    "Requirements",
    ...table(
      previews.map(({ id, result, detail }) => [result, id, detail]),
      2,
    ),
  ];
}

/** One line about what was left out; none when nothing was. */
export function ignoredLine({ ignored }: Pick<Collected, "ignored">): string | null {
  if (ignored.length === 0) return null;
  const named = ignored.slice(0, MAX_NAMED).map((path) => shortened(path, 60));
  const more = ignored.length > named.length ? `, and ${ignored.length - named.length} more` : "";
  return `Left out: ${named.join(", ")}${more}`;
}
