import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** An HTTP server on a free port of this machine. */
export interface Served {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves what `answer` returns for a method, path and body: text with status 200, or 404 for null. */
export async function serve(
  answer: (path: string, body: string) => string | Uint8Array | null,
): Promise<Served> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const found = answer(request.url ?? "/", body);
      response.writeHead(found === null ? 404 : 200, { connection: "close" }).end(found ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}
