import { documentCid, documentHash, type Hex } from "@assay/protocol";
import { z } from "zod";
import type { Endpoint } from "../config/index.ts";
import type { Clock } from "../observe/clock.ts";
import { readBounded } from "../rpc/index.ts";
import { LARGEST_DOCUMENT, type DocumentSource } from "./documents.ts";

const TIMEOUT_MILLISECONDS = 15_000;
/** Milliseconds for which a gateway that does not have a document is not asked for it again, doubled with every miss. */
const REST = { shortest: 30_000, longest: 600_000 };
/** Documents of which misses are remembered. */
const MAX_REMEMBERED = 10_000;

/**
 * A public or own IPFS gateway. A document's SHA-256 is its name there (CIDv1, raw), so one block is the whole of it.
 * Waiting submissions ask often, and gateways are other people's machines: misses are remembered.
 */
export function createGatewaySource(endpoint: Endpoint, clock: Clock): DocumentSource {
  const misses = new Map<Hex, { readonly until: number; readonly rest: number }>();

  function missed(hash: Hex): void {
    const rest = Math.min(REST.longest, (misses.get(hash)?.rest ?? REST.shortest / 2) * 2);
    misses.delete(hash);
    const [oldest] = misses.keys();
    if (misses.size >= MAX_REMEMBERED && oldest !== undefined) misses.delete(oldest);
    misses.set(hash, { until: clock.now() + rest, rest });
  }

  return {
    name: endpoint.origin,
    async fetch(hash) {
      if (clock.now() < (misses.get(hash)?.until ?? 0)) return null;
      const { url, headers } = within(endpoint, `/ipfs/${documentCid(hash)}`, { format: "raw" });
      const bytes = await ask(
        url,
        { headers: { ...headers, accept: "application/vnd.ipld.raw" } },
        LARGEST_DOCUMENT,
      );
      if (bytes !== null && documentHash(bytes) === hash) {
        misses.delete(hash);
        return bytes;
      }
      missed(hash);
      return null;
    },
  };
}

const putAnswer = z.object({ Key: z.string() });

/**
 * Stores and pins a document on a Kubo node.
 *
 * @returns whether the node holds it under the name that its hash gives it.
 */
export async function pinDocument(api: Endpoint, hash: Hex, bytes: Uint8Array): Promise<boolean> {
  const { url, headers } = within(api, "/api/v0/block/put", {
    "cid-codec": "raw",
    mhtype: "sha2-256",
    pin: "true",
  });
  const body = new FormData();
  body.set("data", new Blob([new Uint8Array(bytes)]));
  const answer = await ask(url, { method: "POST", headers, body }, 65_536);
  if (answer === null) return false;
  try {
    const parsed = putAnswer.safeParse(JSON.parse(new TextDecoder().decode(answer)));
    return parsed.success && parsed.data.Key === documentCid(hash);
  } catch {
    return false;
  }
}

async function ask(url: URL, request: RequestInit, limit: number): Promise<Uint8Array | null> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    return response.ok ? await readBounded(response, limit) : null;
  } catch {
    return null;
  }
}

/** A path below an endpoint, which may have a path, a query and a user of its own. */
function within(
  endpoint: Endpoint,
  path: string,
  query: Readonly<Record<string, string>>,
): { readonly url: URL; readonly headers: Record<string, string> } {
  const url = new URL(endpoint.url.reveal());
  const { username, password } = url;
  url.pathname = `${url.pathname.replace(/\/$/, "")}${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (username === "" && password === "") return { url, headers: {} };
  // `fetch` refuses a URL with a user in it.
  [url.username, url.password] = ["", ""];
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, headers: { authorization: `Basic ${Buffer.from(user).toString("base64")}` } };
}
