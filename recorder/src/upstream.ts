import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { ProblemError } from "./problem.ts";

/** A request to the upstream. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, exactly as the client sent them. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** What of the body is known already. */
  readonly body: Uint8Array;
  /** What of it is still to come. */
  readonly rest?: Readable;
}

/** The API that the recorder stands in front of. */
export interface Upstream {
  /** @throws ProblemError `upstream_unreachable` or `upstream_timeout`; the answer's body is still to be read. */
  send(request: UpstreamRequest): Promise<IncomingMessage>;
  close(): void;
}

const MOST_SOCKETS = 256;
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * @param base scheme, host and port; a path is put before every target.
 * @param timeoutMilliseconds without a byte, after which an exchange is given up.
 */
export function createUpstream(base: URL, timeoutMilliseconds: number): Upstream {
  const isSecure = base.protocol === "https:";
  const options = { keepAlive: true, maxSockets: MOST_SOCKETS };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const prefix = base.pathname.replace(/\/$/, "");

  function attempt(request: UpstreamRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = (isSecure ? httpsRequest : httpRequest)({
        agent,
        host: base.hostname.replace(/^\[|\]$/g, ""),
        port: base.port === "" ? undefined : Number(base.port),
        method: request.method,
        path: prefix + request.target,
        headers: ["Host", base.host, ...request.headers],
        timeout: timeoutMilliseconds,
      });
      outgoing.on("response", (incoming) => {
        // Whoever reads the body hears of it too; unheard, it would end the process.
        incoming.on("error", () => undefined);
        resolve(incoming);
      });
      outgoing.on("timeout", () => {
        outgoing.destroy(
          new ProblemError(
            "upstream_timeout",
            `the upstream was silent for ${timeoutMilliseconds} ms`,
            "Try again; nothing was recorded.",
          ),
        );
      });
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        reject(Object.assign(error, { isStale: outgoing.reusedSocket && error.code === "ECONNRESET" }));
      });
      if (request.rest === undefined) outgoing.end(request.body);
      else {
        outgoing.write(request.body);
        request.rest.on("error", (error) => outgoing.destroy(error));
        request.rest.pipe(outgoing);
      }
    });
  }

  return {
    async send(request) {
      try {
        return await attempt(request).catch((error: unknown) => {
          // The upstream closed an idle connection just as it was used again: it never saw the request.
          const isStale = (error as { isStale?: boolean }).isStale === true;
          if (isStale && REPEATABLE.has(request.method) && request.rest === undefined)
            return attempt(request);
          throw error;
        });
      } catch (error) {
        if (error instanceof ProblemError) throw error;
        throw new ProblemError(
          "upstream_unreachable",
          `the upstream can't be reached: ${(error as NodeJS.ErrnoException).code ?? "connection failed"}`,
          "Try again; nothing was recorded.",
        );
      }
    },
    close: () => agent.destroy(),
  };
}
