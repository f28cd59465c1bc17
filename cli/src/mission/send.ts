import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { UnavailableError } from "../errors.ts";

/** Longest silence of a recorder, whose upstream may take half a minute itself. */
const SILENCE_MILLISECONDS = 60_000;

/** A request whose target is sent exactly as it is; `fetch` would rewrite it, and decode bodies. */
export interface Outgoing {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An answer with its body's exact bytes. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** @throws UnavailableError when there is no whole answer. */
export function send(origin: string, { method, target, headers, body }: Outgoing): Promise<Answered> {
  const url = new URL(origin);
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(
        new UnavailableError(
          `${origin} gives no answer to ${method} ${target}: ${error.message}`,
          "Run it again.",
          {
            cause: error,
          },
        ),
      );
    const outgoing = (url.protocol === "https:" ? httpsRequest : httpRequest)(
      {
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port === "" ? undefined : Number(url.port),
        method,
        path: target,
        headers: { ...headers, ...(body.length > 0 && { "content-length": `${body.length}` }) },
        timeout: SILENCE_MILLISECONDS,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", fail);
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error("no byte for a minute")));
    outgoing.on("error", fail);
    outgoing.end(body);
  });
}
