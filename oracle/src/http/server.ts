import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";

/** The HTTP port can't be had. */
export class ListenError extends Error {
  override name = "ListenError";
}

/** What answers requests: an app of Hono's, whatever its types. */
interface FetchApp {
  readonly fetch: Parameters<typeof getRequestListener>[0];
}

/** A listening server. */
export interface HttpServer {
  readonly url: string;
  /** Stops accepting, lets requests in flight end, and closes idle connections. */
  close(): Promise<void>;
}

/**
 * Serves the app.
 *
 * @param port 0 for any free one.
 * @throws ListenError in one sentence.
 */
export async function serve(app: FetchApp, host: string, port: number): Promise<HttpServer> {
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => {
    void listener(request, response);
  });
  server.requestTimeout = 30_000;
  await listening(server, host, port);
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        // Whoever still talks after this long is cut off.
        const cutOff = setTimeout(() => {
          server.closeAllConnections();
        }, 2_000).unref();
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `port ${port} of ${host} is in use; choose another ASSAY_HTTP_PORT, or 0 for any free one`
          : `can't listen on ${host}:${port}: ${error.message}`;
      reject(new ListenError(reason, { cause: error }));
    });
    server.listen(port, host, () => {
      resolve();
    });
  });
}
