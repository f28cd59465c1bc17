import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** One GET of a contract. */
export interface WebRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the run that asks is stopped. */
  readonly signal: AbortSignal;
}

/** What came back. Header names are lower-case. */
export interface WebResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** How contracts reach the web. */
export interface WebFetcher {
  /**
   * @throws {@link WebError} when there is no answer within the bounds
   */
  get(request: WebRequest): Promise<WebResponse>;
}

/** Why there is no answer: a stable code for contracts, and words for people. */
export class WebError extends Error {
  override readonly name = "WebError";
  readonly code: "FORBIDDEN_URL" | "TOO_LARGE" | "TIMEOUT" | "TOO_MANY_REDIRECTS" | "LOAD_FAILED";

  constructor(code: WebError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Bounds of {@link httpFetcher}. */
export interface HttpFetcherOptions {
  /** Bytes of a body beyond which the answer is refused (default 1 MiB). */
  readonly maxBytes?: number;
  /** Milliseconds for one GET with all its redirects (default 10 000). */
  readonly timeoutMilliseconds?: number;
  readonly maxRedirects?: number;
  /** Lets contracts reach private and loopback hosts: for tests only. */
  readonly allowPrivateHosts?: boolean;
}

/** Fetches over HTTP; every hop's scheme and host are checked, and everything is bounded. */
export function httpFetcher(options: HttpFetcherOptions = {}): WebFetcher {
  const {
    maxBytes = 1 << 20,
    timeoutMilliseconds = 10_000,
    maxRedirects = 5,
    allowPrivateHosts = false,
  } = options;
  return {
    async get(request) {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMilliseconds)]);
      let url = request.url;
      try {
        for (let hop = 0; hop <= maxRedirects; hop++) {
          await requirePublic(url, allowPrivateHosts);
          const response = await fetch(url, { headers: request.headers, redirect: "manual", signal });
          const location = response.headers.get("location");
          if (response.status < 300 || response.status > 399 || location === null) {
            return {
              status: response.status,
              headers: Object.fromEntries(response.headers),
              body: await readBounded(response, maxBytes),
            };
          }
          await response.body?.cancel();
          url = new URL(location, url).href;
        }
      } catch (error) {
        throw toWebError(error);
      }
      throw new WebError("TOO_MANY_REDIRECTS", `more than ${maxRedirects} redirects from ${request.url}`);
    },
  };
}

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, "ipv6");
}

async function requirePublic(text: string, allowPrivateHosts: boolean): Promise<void> {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new WebError("FORBIDDEN_URL", `${text} is no http or https URL`);
  }
  if (allowPrivateHosts) {
    return;
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses =
    isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host, family: isIP(host) }];
  for (const { address, family } of addresses) {
    if (PRIVATE.check(address, family === 6 ? "ipv6" : "ipv4")) {
      throw new WebError("FORBIDDEN_URL", `${host} is a private host`);
    }
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.length;
    if (size > maxBytes) {
      throw new WebError("TOO_LARGE", `the body has more than ${maxBytes} bytes`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function toWebError(error: unknown): WebError {
  if (error instanceof WebError) {
    return error;
  }
  const name = error instanceof Error ? error.name : "";
  const words = error instanceof Error ? error.message : String(error);
  return name === "TimeoutError" || name === "AbortError"
    ? new WebError("TIMEOUT", "no answer in time")
    : new WebError("LOAD_FAILED", words);
}
