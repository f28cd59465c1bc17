/** What concerns one connection only, by RFC 9110. */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** What the recorder alone may say. */
const OWN = /^x-a2a-/;

/** Headers as Node gives them: names and values in turn. */
export type RawHeaders = readonly string[];

/** `headers` without those that concern one connection or that only the recorder may write, and without `more`. */
export function passedOn(headers: RawHeaders, more: readonly string[] = []): string[] {
  const named = namedByConnection(headers);
  const kept: string[] = [];
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] ?? "";
    const key = name.toLowerCase();
    if (HOP_BY_HOP.has(key) || OWN.test(key) || named.has(key) || more.includes(key)) continue;
    kept.push(name, headers[index + 1] ?? "");
  }
  return kept;
}

/** What a `Connection` header names is hop-by-hop too. */
function namedByConnection(headers: RawHeaders): Set<string> {
  const named = new Set<string>();
  for (let index = 0; index + 1 < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() !== "connection") continue;
    for (const name of (headers[index + 1] ?? "").split(",")) named.add(name.trim().toLowerCase());
  }
  return named;
}
