import { createHash } from "node:crypto";
import { isPublicUrl, printable, submissionSchema, type Submission } from "@assay/protocol";
import { UnavailableError, UsageError } from "../errors.ts";

type Link = Submission["links"][number];

/** Longest wait for what a link serves, all of it. */
const TIMEOUT_MILLISECONDS = 60_000;
/** More than this is not read: nobody would judge it. */
const MAX_BYTES = 100_000_000;

const urlSchema = submissionSchema.shape.links.element.shape.url;

/**
 * Reads what each URL serves now, for links that say so by length and SHA-256: whoever judges later knows whether it
 * is still the same.
 *
 * @throws UsageError when one is no URL that a link can have, UnavailableError when one does not serve anything.
 */
export async function linksTo(urls: readonly string[], warn: (line: string) => void): Promise<Link[]> {
  for (const url of urls) {
    const { error } = urlSchema.safeParse(url);
    if (error !== undefined)
      throw new UsageError(
        `--link ${printable(url)} ${error.issues[0]?.message ?? "is no URL"}`,
        "Write an absolute http or https URL, as in --link https://example.org/logo.svg.",
      );
    if (!isPublicUrl(url))
      warn(`${printable(url)} is on a private host, which validators do not fetch: they will not see it.`);
  }
  return Promise.all(urls.map(linkTo));
}

async function linkTo(url: string): Promise<Link> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    const response = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw unavailable(url, `answers ${response.status}`);
    }
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array> | never[]) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw unavailable(url, `serves more than ${MAX_BYTES} bytes`);
      hash.update(chunk);
    }
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    throw unavailable(url, "can't be read", error);
  }
  return { url, sha256: `0x${hash.digest("hex")}`, bytes };
}

function unavailable(url: string, what: string, cause?: unknown): UnavailableError {
  return new UnavailableError(
    `the link ${printable(url)} ${what}`,
    "Link to where the content itself is, served with status 200 and no redirect, for as long as it may be judged.",
    { cause },
  );
}
