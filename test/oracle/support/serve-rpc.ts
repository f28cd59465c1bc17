import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { RpcResponseError, type JsonRpc } from "../../../oracle/src/rpc/index.ts";

/** Serves a simulated chain over HTTP, for operators in processes of their own. */
export async function serveRpc(rpc: JsonRpc): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { id, method, params } = JSON.parse(Buffer.concat(parts).toString()) as {
        id: number;
        method: string;
        params: unknown[];
      };
      void rpc
        .send(method, params)
        .then(
          (result) => ({ result }),
          (error: unknown) =>
            error instanceof RpcResponseError
              ? { error: { code: error.code, message: error.message, data: error.data } }
              : { error: { code: -32603, message: String(error) } },
        )
        .then((body) => response.end(JSON.stringify({ jsonrpc: "2.0", id, ...body })));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
