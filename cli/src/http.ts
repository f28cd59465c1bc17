/** Longest wait for any one answer. */
export const TIMEOUT_MILLISECONDS = 15_000;

/**
 * The body of a response, or null when it has more than `limit` bytes.
 *
 * @throws whatever `fetch` throws while the body arrives.
 */
export async function readBounded(response: Response, limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > limit) {
      await response.body?.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** A URL for messages: without credentials, path and query, which may hold an API key. */
export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "the URL given";
}

/** What went wrong, in a few words, without URLs. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer in ${TIMEOUT_MILLISECONDS / 1000} s`;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return `${error.message}${cause}`.replaceAll(/https?:\/\/\S+/g, "(URL)");
}
