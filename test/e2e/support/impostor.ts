import { createServer } from "node:http";
import type { Wallet } from "ethers";
import { verdictTypedData, type Address, type Verdict } from "@assay/protocol";
import type { Venue } from "../../../scripts/local/parties.ts";

/** Answers at an operator's place, with its key, but says the opposite of what the others signed. */
export async function startLiar(
  place: string,
  attester: Wallet,
  { chainId, quorum }: Venue,
  honest: readonly string[],
): Promise<{ stop(): Promise<void> }> {
  async function lieAbout(path: string): Promise<object | null> {
    for (const url of honest) {
      const response = await fetch(`${url}${path}`);
      if (!response.ok) continue;
      const { verdict } = (await response.json()) as { verdict: Verdict };
      const lie: Verdict = {
        ...verdict,
        outcome: verdict.outcome === 1 ? 2 : 1,
        verdictHash: `0x${"13".repeat(32)}`,
      };
      const { domain, types, message } = verdictTypedData(lie, chainId, quorum);
      const signature = await attester.signTypedData(domain, types, message);
      return { operator: attester.address as Address, signature, verdict: lie };
    }
    return null;
  }
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    void (path.startsWith("/v1/attestations/") ? lieAbout(path) : Promise.resolve(null))
      .catch(() => null)
      .then((body) => {
        response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify(body ?? {}));
      });
  });
  const { hostname, port } = new URL(place);
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, resolve));
  return {
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
