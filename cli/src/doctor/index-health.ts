import { IndexError, createIndexClient } from "@assay/subgraph";
import type { Session } from "../session.ts";
import { ok, warn, type DoctorFinding } from "./finding.ts";

/** How many blocks an index may be behind without a word. */
const MAX_BEHIND = 20;

/** Whether the index is healthy, on this chain, and fresh. Nothing but reputation depends on it. */
export async function examineIndex({ network, node }: Session): Promise<DoctorFinding[]> {
  const fix = "Reputation is read from the chain until it is back; `--index-url` names another one.";
  if (network.index === null) return [warn("index", "no index is known", fix)];
  const client = createIndexClient({
    url: network.index,
    hashOf: async (height) => (await node.blockAt(height))?.hash,
  });
  try {
    const [block, head] = await Promise.all([client.head(), node.head()]);
    const behind = Math.max(0, head.number - block.number);
    const message = `at block ${block.number}, ${behind} behind the chain`;
    return [behind <= MAX_BEHIND ? ok("index", message) : warn("index", message, fix)];
  } catch (error) {
    if (!(error instanceof IndexError)) throw error;
    return [warn("index", error.message, fix)];
  }
}
