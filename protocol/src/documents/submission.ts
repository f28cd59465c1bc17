import { z } from "zod";
import { hashField, integer, matching, text } from "./fields.ts";
import { filesField } from "./files.ts";
import { SCHEMA } from "./limits.ts";
import { urlField } from "./url.ts";

const linkSchema = z.strictObject({
  url: urlField,
  /** SHA-256 of what the URL served when the submission was made. */
  sha256: hashField,
  /** Its length in bytes. */
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
  files: filesField,
  links: z.array(linkSchema).max(5),
  evidence: z.array(evidenceSchema).max(20),
  repository: z.exactOptional(repositorySchema),
});

/** What a seller delivers. `files` has no prototype when it was parsed, so look-ups find own paths only. */
export type Submission = z.infer<typeof submissionSchema>;
