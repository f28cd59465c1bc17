/**
 * One JSON-RPC call over HTTP.
 *
 * @returns The result as it came; the caller checks its shape.
 * @throws Error when the node can't be reached or answers with an error.
 */
export async function rpcCall(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message ?? "unknown error"}`);
  return answer.result;
}
