import { createServer } from "node:http";
import { LocalnetError } from "../errors.ts";
import { claimPort } from "../process/index.ts";

/** An HTTP server that graph-node takes for an IPFS gateway. */
export interface IpfsStub {
  url: string;
  port: number;
  /** Closes the server and its connections. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts the least that graph-node takes for an IPFS gateway. It holds no content: localnet's graph-node reads
 * manifest, schema and code from disk, yet probes a gateway before it starts.
 */
export async function startIpfsStub(parameters: { port?: number } = {}): Promise<IpfsStub> {
  const port = await claimPort(parameters.port, "the IPFS stub");
  const server = createServer((request, response) => {
    const probe = request.method === "HEAD" && request.url?.startsWith("/ipfs/") === true;
    // 412 is how a gateway answers the probe's precondition.
    response.writeHead(probe ? 412 : 404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new LocalnetError("PORT_IN_USE", `Port ${port}, wanted by the IPFS stub, is in use.`, "Try again.", {
          cause: error,
        }),
      ),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stop: () =>
      (stopped ??= new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })),
  };
}
