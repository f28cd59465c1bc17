import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { documentCid, type Hex } from "@assay/protocol";

/** A server that speaks what is used of an IPFS gateway and of Kubo's RPC API; it keeps raw blocks. */
export class IpfsServer {
  readonly blocks = new Map<string, Uint8Array>();
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[] = [];
  /** Set by tests: whether the RPC API refuses. */
  refuses = false;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<IpfsServer> {
    const server = createServer();
    const ipfs = new IpfsServer(server);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      void ipfs.#answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return ipfs;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    this.requests.push({
      path: `${url.pathname}${url.search}`,
      authorization: request.headers.authorization,
    });
    const cid = /\/ipfs\/([a-z2-7]+)$/.exec(url.pathname)?.[1];
    if (request.method === "GET" && cid !== undefined && url.searchParams.get("format") === "raw") {
      const block = this.blocks.get(cid);
      response.writeHead(block === undefined ? 404 : 200, { "content-type": "application/vnd.ipld.raw" });
      response.end(block === undefined ? "" : Buffer.from(block));
    } else if (request.method === "POST" && url.pathname.endsWith("/api/v0/block/put") && !this.refuses) {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const block = onlyPart(Buffer.concat(parts));
      const hash: Hex = `0x${createHash("sha256").update(block).digest("hex")}`;
      this.blocks.set(documentCid(hash), block);
      response.end(JSON.stringify({ Key: documentCid(hash), Size: block.length }));
    } else response.writeHead(500).end('{"Message":"refused","Code":0,"Type":"error"}');
  }
}

/** The content of the only part of a multipart body. */
function onlyPart(body: Buffer): Uint8Array {
  const boundary = body.subarray(0, body.indexOf("\r\n"));
  const start = body.indexOf("\r\n\r\n") + 4;
  return new Uint8Array(
    body.subarray(start, body.indexOf(Buffer.concat([Buffer.from("\r\n"), boundary]), start)),
  );
}
