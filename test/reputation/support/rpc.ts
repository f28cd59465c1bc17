/** One call of JSON-RPC. */
export interface Call {
  method: string;
  params: unknown[];
}

/** Sends all calls in one request. Fails when any of them does. */
export async function rpcBatch<T>(url: string, calls: readonly Call[]): Promise<T[]> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }))),
  });
  const answers = (await response.json()) as { id: number; result: T; error?: { message: string } }[];
  for (const { id, error } of answers) {
    if (error !== undefined) throw new Error(`${calls[id]!.method}: ${error.message}`);
  }
  return answers.sort((one, other) => one.id - other.id).map(({ result }) => result);
}

export async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  return (await rpcBatch<T>(url, [{ method, params }]))[0]!;
}
