import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createIndexClient, IndexError } from "../client/index.ts";

const USAGE = `Usage: node subgraph/deploy/check.ts --graph <url> --rpc <url> [options]

Exits 0 when the index keeps up with the chain, 1 with one sentence when it does not. An index that is wedged calls
itself healthy: only the chain tells. Run it every minute, and restart graph-node when it exits 1.

  --graph <url>      the subgraph's query URL
  --rpc <url>        JSON-RPC of the chain, best another node than graph-node's
  --behind <blocks>  how far it may be behind, 50 by default
  --for <seconds>    how long it may be unwell before that counts, 60 by default
  --help             this text
`;
const PAUSE_MILLISECONDS = 2_000;
const TIMEOUT_MILLISECONDS = 10_000;

async function call(rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Nothing when the index is well, else what is wrong with it. */
async function findFault(graphUrl: string, rpcUrl: string, behind: number): Promise<string | undefined> {
  const index = createIndexClient({
    url: graphUrl,
    hashOf: async (number) => {
      const block = await call(rpcUrl, "eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
      return (block as { hash: string } | null)?.hash;
    },
  });
  const height = Number(await call(rpcUrl, "eth_blockNumber", []));
  try {
    await index.head(Math.max(0, height - behind));
    return undefined;
  } catch (error) {
    if (error instanceof IndexError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

try {
  const { values } = parseArgs({
    options: {
      graph: { type: "string" },
      rpc: { type: "string" },
      behind: { type: "string", default: "50" },
      for: { type: "string", default: "60" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) process.stdout.write(USAGE);
  else if (values.graph === undefined || values.rpc === undefined) {
    process.stderr.write(`Give --graph and --rpc.\n\n${USAGE}`);
    process.exitCode = 2;
  } else {
    const deadline = Date.now() + Number(values.for) * 1_000;
    for (;;) {
      const fault = await findFault(values.graph, values.rpc, Number(values.behind));
      if (fault === undefined) break;
      if (Date.now() >= deadline) {
        process.stderr.write(`${fault}\n`);
        process.exitCode = 1;
        break;
      }
      await delay(PAUSE_MILLISECONDS);
    }
  }
} catch (error) {
  // Whether the index is well can't be told, and a restart would not mend a chain that does not answer.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
