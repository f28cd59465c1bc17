import { z } from "zod";
import { UnavailableError } from "./error.ts";
import { TIMEOUT_MILLISECONDS, originOf, reasonOf } from "./http.ts";

/** An endpoint answered a call with an error. */
export class RpcError extends UnavailableError {
  readonly code: number;
  /** The endpoint's own words. */
  readonly reason: string;
  /** What a call reverted with, if that is what happened and the endpoint says so. */
  readonly revertData: string | null;

  constructor(origin: string, method: string, { code, message, data }: z.infer<typeof errorSchema>) {
    const reason = message.slice(0, 300);
    super(
      `${origin} answered ${method} with error ${code}: ${reason}`,
      "Check the endpoint, or try another one.",
    );
    this.code = code;
    this.reason = reason;
    this.revertData = revertDataIn(data);
  }
}

const errorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });

/** Nodes put it into the error's data, some one level deeper. */
function revertDataIn(data: unknown): string | null {
  if (typeof data === "string") return /^0x([0-9a-fA-F]{2})*$/.test(data) ? data.toLowerCase() : null;
  return typeof data === "object" && data !== null && "data" in data ? revertDataIn(data.data) : null;
}

/** One JSON-RPC endpoint. */
export interface JsonRpc {
  readonly origin: string;
  /** @throws RpcError when the answer is an error, UnavailableError when there is none. */
  send(method: string, parameters: readonly unknown[]): Promise<unknown>;
}

const answerSchema = z.union([z.object({ error: errorSchema }), z.object({ result: z.unknown() })]);

/** Talks to an endpoint, one HTTP request for each call, without a retry. */
export function createJsonRpc(url: string): JsonRpc {
  const origin = originOf(url);
  let lastId = 0;
  return {
    origin,
    async send(method, parameters) {
      let body: unknown;
      try {
        const response = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", id: ++lastId, method, params: parameters }),
          signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
        });
        body = await response.json();
      } catch (error) {
        throw new UnavailableError(
          `${origin} gives no answer to ${method}: ${reasonOf(error)}`,
          "Check that the endpoint's URL is right and that it is up.",
          { cause: error },
        );
      }
      const answer = answerSchema.safeParse(body);
      if (
        !answer.success ||
        !(typeof body === "object" && body !== null && ("error" in body || "result" in body))
      )
        throw new UnavailableError(
          `${origin} answered ${method} with no JSON-RPC response`,
          "Is it a JSON-RPC endpoint?",
        );
      if ("error" in answer.data) throw new RpcError(origin, method, answer.data.error);
      return answer.data.result;
    },
  };
}

/**
 * Reads an answer by its shape.
 *
 * @throws UnavailableError when it has another.
 */
export function readAnswer<T>(schema: z.ZodType<T>, answer: unknown, origin: string, method: string): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UnavailableError(
    `${origin} answered ${method} in an unknown shape (${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""})`,
    "Check that the endpoint belongs to the network that you mean.",
  );
}
