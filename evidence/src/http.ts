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
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    size += read.value.length;
    if (size > limit) {
      await reader?.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
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
