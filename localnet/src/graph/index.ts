export {
  startGraphNode,
  type BlockReference,
  type GraphNode,
  type GraphNodeParameters,
  type GraphNodePorts,
} from "./graph-node.ts";
export { startIpfsStub, type IpfsStub } from "./ipfs-stub.ts";
export { startPostgres, type Postgres, type PostgresParameters } from "./postgres.ts";
export { queryGraph } from "./query.ts";
export { watchGraphNode, type WatchedGraphNode, type WatchOptions } from "./watchdog.ts";
export { buildSubgraph, placeSubgraph, type CompiledSubgraph, type SubgraphTarget } from "./subgraph.ts";
