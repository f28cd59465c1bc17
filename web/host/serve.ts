import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { NETWORKS_SCHEMA, type Profile } from "@assay/protocol";
import { PAGE_FOLDER } from "./folder.ts";
import { securityHeaders } from "./headers.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** The page, served from this machine. */
export interface ServedPage {
  readonly url: string;
  stop(): Promise<void>;
}

export interface PageOptions {
  /** What `/assay.json` says, the first being the default. */
  readonly networks: readonly Profile[];
  /** A free one when left out. */
  readonly port?: number;
  /** The built page. */
  readonly folder?: string;
}

/**
 * Serves the page on loopback: files as they are, `/assay.json` from the networks given, and `index.html` for every
 * other path, since routes are the page's own. There is no state and nothing to write.
 *
 * @throws when the port is in use.
 */
export async function servePage({
  networks,
  port = 0,
  folder = PAGE_FOLDER,
}: PageOptions): Promise<ServedPage> {
  const headers = securityHeaders(networks);
  const configuration = `${JSON.stringify({ schema: NETWORKS_SCHEMA, networks }, null, 2)}\n`;
  const server = createServer((request, response) => {
    void answer(folder, configuration, request.method ?? "", request.url ?? "/").then(
      ({ status, type, body, isImmutable }) => {
        response.writeHead(status, {
          ...headers,
          "content-type": type,
          "content-length": Buffer.byteLength(body),
          "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
        });
        response.end(request.method === "HEAD" ? undefined : body);
      },
    );
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array | string;
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
}

async function answer(folder: string, configuration: string, method: string, url: string): Promise<Answer> {
  const plain = (status: number, body: string): Answer => ({
    status,
    type: TYPES[".txt"] ?? "",
    body,
    isImmutable: false,
  });
  if (method !== "GET" && method !== "HEAD") return plain(405, "Only GET and HEAD.\n");
  const path = pathOf(url);
  if (path === null) return plain(400, "That is no path.\n");
  if (path === "/assay.json")
    return { status: 200, type: TYPES[".json"] ?? "", body: configuration, isImmutable: false };
  const extension = extname(path);
  const type = TYPES[extension];
  if (type !== undefined && path !== "/index.html") {
    const body = await readFile(join(folder, path)).catch(() => null);
    return body === null
      ? plain(404, "There is no such file.\n")
      : { status: 200, type, body, isImmutable: path.startsWith("/assets/") };
  }
  const body = await readFile(join(folder, "index.html")).catch(() => null);
  return body === null
    ? plain(503, "The page is not built: run `npm run build`.\n")
    : { status: 200, type: TYPES[".html"] ?? "", body, isImmutable: false };
}

/** A path below the folder, whatever the URL says; null for what is none. */
function pathOf(url: string): string | null {
  try {
    const path = normalize(decodeURIComponent(new URL(url, "http://localhost").pathname));
    return path.includes("\0") || path.split(sep).includes("..") ? null : path;
  } catch {
    return null;
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}
