import { type IncomingMessage, type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the upstream saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An API in a server of its own. */
export interface TestUpstream {
  readonly url: string;
  readonly seen: Seen[];
  /** What answers from now on, after the body was read. */
  answer: (seen: Seen, ...args: Parameters<RequestListener>) => void;
  close(): Promise<void>;
}

/** Starts an upstream that answers every request with what it was asked. */
export async function startUpstream(): Promise<TestUpstream> {
  const upstream: TestUpstream = {
    url: "",
    seen: [],
    answer: (seen, _request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ method: seen.method, url: seen.url, body: seen.body, call: upstream.seen.length }),
      );
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString("latin1") };
      upstream.seen.push(seen);
      upstream.answer(seen, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(upstream, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
