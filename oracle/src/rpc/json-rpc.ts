import { z } from "zod";
import { withoutUrls, type Endpoint } from "../config/index.ts";
import { RpcResponseError, RpcUnavailableError } from "./errors.ts";
import { parseRetryAfter } from "./retry-after.ts";

const DEFAULT_TIMEOUT_MILLISECONDS = 10_000;
/** Longest error text and revert data that is kept from a node, in characters. */
const MAX_TEXT = 4_096;

/** One endpoint. A call is one HTTP request: no batching, no cache, no silent retry. */
export interface JsonRpc {
  readonly origin: string;
  /**
   * @throws RpcUnavailableError when there was no usable answer, RpcResponseError when the answer is an error.
   */
  send(method: string, parameters: readonly unknown[]): Promise<unknown>;
}

const responseSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }) }),
  z.object({ result: z.unknown() }),
]);

/** Talks JSON-RPC over HTTP to one endpoint, with a deadline of its own for every call. */
export function createJsonRpc(
  endpoint: Endpoint,
  timeoutMilliseconds = DEFAULT_TIMEOUT_MILLISECONDS,
): JsonRpc {
  let lastId = 0;
  const { origin } = endpoint;
  return {
    origin,
    async send(method, parameters) {
      const id = ++lastId;
      let body: unknown;
      try {
        const response = await fetch(endpoint.url.reveal(), {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id, method, params: parameters }),
          signal: AbortSignal.timeout(timeoutMilliseconds),
        });
        // Some endpoints send execution errors with status 400, so only the body decides, if there is one.
        if (response.status === 429 || response.status >= 500)
          throw new RpcUnavailableError(
            origin,
            method,
            `answered HTTP ${response.status}`,
            parseRetryAfter(response.headers.get("retry-after"), Date.now()),
            { isRateLimit: response.status === 429 },
          );
        body = await response.json();
      } catch (error) {
        if (error instanceof RpcUnavailableError) throw error;
        throw new RpcUnavailableError(origin, method, `failed: ${reasonOf(error)}`);
      }
      const parsed = responseSchema.safeParse(body);
      if (
        !parsed.success ||
        !(typeof body === "object" && body !== null && ("error" in body || "result" in body))
      )
        throw new RpcUnavailableError(origin, method, "answered something that is no JSON-RPC response");
      if ("error" in parsed.data) {
        const { code, message, data } = parsed.data.error;
        throw new RpcResponseError(
          origin,
          method,
          code,
          withoutUrls(message).slice(0, MAX_TEXT),
          revertDataOf(data),
        );
      }
      return parsed.data.result;
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return withoutUrls(String(error));
  if (error.name === "TimeoutError") return "no answer in time";
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return withoutUrls(error.message + cause);
}

/** Nodes put revert data directly into `data`, or into `data.data`. Anything that is no hex is dropped. */
function revertDataOf(data: unknown): string | null {
  const inner = typeof data === "object" && data !== null && "data" in data ? data.data : data;
  return typeof inner === "string" && /^0x([0-9a-fA-F]{2})*$/.test(inner) ? inner.slice(0, MAX_TEXT) : null;
}
