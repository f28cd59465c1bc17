import {
  buildSubgraph,
  placeSubgraph,
  startGraphNode,
  startPostgres,
  type BlockReference,
  type GraphNode,
} from "../../../localnet/src/graph/index.ts";
import { createTemporaryFolder } from "../../../localnet/src/process/index.ts";
import type { EvmDeployment } from "../../../scripts/deploy/evm.ts";

/** Small, so that a party's agreements fill several pages. */
const PAGE = 50;

/** A real index of one chain. */
export interface Index {
  graph: GraphNode;
  stop(): Promise<void>;
}

export async function startIndex(rpcUrl: string, deployment: EvmDeployment): Promise<Index> {
  const [compiled, postgres, folder] = await Promise.all([
    buildSubgraph(),
    startPostgres(),
    createTemporaryFolder("reputation"),
  ]);
  const stop = async (): Promise<void> => {
    await postgres.stop();
    await folder.remove();
  };
  try {
    const manifest = await placeSubgraph(compiled, { network: "localhost", ...deployment }, folder.path);
    const graph = await startGraphNode({ postgresUrl: postgres.url, evmRpcUrl: rpcUrl, manifest });
    return {
      graph,
      stop: async () => {
        await graph.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** All agreements of a party in a role, as the index held them at a past block: page by page, by id. */
export async function agreementsAt(
  graph: GraphNode,
  block: BlockReference,
  role: "buyer" | "seller",
  party: string,
  fields: readonly string[],
): Promise<{ id: string }[]> {
  const references = ["buyer", "seller", "conceder"];
  const selection = fields.map((field) => (references.includes(field) ? `${field} { id }` : field)).join(" ");
  const query = `query ($party: String!, $after: Bytes!, $block: Int!) {
    agreements(first: ${PAGE}, orderBy: id, block: { number: $block },
      where: { ${role}: $party, id_gt: $after }) { ${selection} } }`;
  const all: { id: string }[] = [];
  for (;;) {
    const { agreements } = await graph.query<{ agreements: { id: string }[] }>(query, {
      party: party.toLowerCase(),
      after: all.at(-1)?.id ?? "0x",
      block: block.number,
    });
    all.push(...agreements);
    if (agreements.length < PAGE) return all;
  }
}
