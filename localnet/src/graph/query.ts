/**
 * Sends a GraphQL query by POST.
 *
 * @returns The answer's `data`; its shape is the caller's claim.
 * @throws Error when the server can't be reached, or answers with errors.
 */
export async function queryGraph<T>(
  url: string,
  query: string,
  variables: Record<string, unknown> = {},
  timeoutMilliseconds = 30_000,
): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  const answer = (await response.json()) as { data?: T; errors?: { message: string }[] };
  if (answer.errors !== undefined) throw new Error(answer.errors.map(({ message }) => message).join("; "));
  if (answer.data === undefined) throw new Error(`${url} answered without data`);
  return answer.data;
}
