import { z } from "zod";
import { canonicalize } from "@assay/protocol";
import { TIMEOUT_MILLISECONDS, originOf, readBounded } from "../http.ts";
import type { Source } from "./source.ts";

const MAX_DOCUMENT_BYTES = 512 * 1024;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

const agreementSchema = z.object({
  submissions: z.array(
    z.object({ verdict: z.object({ verdictHash: z.string(), record: z.unknown() }).nullable() }),
  ),
});

/** An operator's HTTP API. */
export function operatorSource(url: string): Source {
  const base = url.replace(/\/+$/, "");
  return {
    name: originOf(url),
    document: (hash) => get(`${base}/v1/documents/${hash}`, MAX_DOCUMENT_BYTES),
    async verdictRecord(agreementId, verdictHash) {
      const bytes = await get(`${base}/v1/agreements/${agreementId}`, MAX_ANSWER_BYTES);
      if (bytes === null) return null;
      const answer = agreementSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
      const found = answer.data?.submissions.find(({ verdict }) => verdict?.verdictHash === verdictHash);
      return found?.verdict == null ? null : canonicalize(found.verdict.record);
    },
  };
}

/** An IPFS gateway, given by the URL under which it serves CIDs, such as `https://gateway.example/ipfs`. */
export function gatewaySource(url: string, cidOf: (hash: string) => string): Source {
  const base = url.replace(/\/+$/, "");
  return {
    name: originOf(url),
    document: (hash) => get(`${base}/${cidOf(hash)}`, MAX_DOCUMENT_BYTES),
    verdictRecord: () => Promise.resolve(null),
  };
}

/** Null for whatever is not there, or larger than anything that could be meant. */
async function get(url: string, limit: number): Promise<Uint8Array | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  if (!response.ok) {
    await response.body?.cancel();
    return null;
  }
  return readBounded(response, limit);
}
