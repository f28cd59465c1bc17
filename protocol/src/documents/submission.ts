import { z } from "zod";
import { type Fault, field, hashField, integer, matching, reportFault, text } from "./fields.ts";
import { SCHEMA } from "./limits.ts";
import { pathFault } from "./path.ts";
import { urlField } from "./url.ts";

const MAX_FILES = 200;

/** Files by path. Not a zod record: that would silently drop a file named `__proto__`. */
const filesSchema = field<Readonly<Record<string, string>>>((input) =>
  typeof input !== "object" || input === null || Array.isArray(input)
    ? { message: "must be an object", hint: "Give an object from path to text; {} when there are no files." }
    : countFault(Object.keys(input).length),
).superRefine((files, context) => {
  for (const [path, content] of Object.entries(files as Record<string, unknown>)) {
    const fault =
      typeof content === "string"
        ? pathFault(path)
        : { message: "is not text", hint: "Give the file's text." };
    if (fault !== undefined) reportFault(context, [path], fault);
  }
});

function countFault(count: number): Fault | undefined {
  return count <= MAX_FILES
    ? undefined
    : { message: `has ${count} files`, hint: `Submit at most ${MAX_FILES}; link to the rest.` };
}

const linkSchema = z.strictObject({
  url: urlField,
  /** SHA-256 of what the URL served when the submission was made. */
  sha256: hashField,
  /** Its length. */
  bytes: integer(0, Number.MAX_SAFE_INTEGER),
});

const evidenceSchema = z.strictObject({
  source: text(1, 500),
  claim: text(1, 1000),
  content: text(0, 20_000),
});

const repositorySchema = z.strictObject({
  url: urlField,
  commit: matching(
    /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
    "a full commit id of 40 or 64 lower-case hexadecimal digits",
  ),
});

/** What a seller delivers. */
export const submissionSchema = z.strictObject({
  schema: z.literal(SCHEMA.submission),
  agreementId: hashField,
  summary: text(0, 20_000),
  files: filesSchema,
  links: z.array(linkSchema).max(5),
  evidence: z.array(evidenceSchema).max(20),
  repository: z.exactOptional(repositorySchema),
});

/** What a seller delivers. `files` has no prototype when it was parsed, so look-ups find own paths only. */
export type Submission = z.infer<typeof submissionSchema>;
