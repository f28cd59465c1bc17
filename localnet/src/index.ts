export { LocalnetError, type LocalnetErrorCode } from "./errors.ts";
export {
  EVM_CHAIN_ID,
  EVM_MNEMONIC,
  deployFiatToken,
  startEvm,
  type Evm,
  type EvmAccount,
  type EvmParameters,
  type FiatToken,
} from "./evm/index.ts";
export {
  deployContract,
  encodeCalldata,
  startGenLayerNetwork,
  type CalldataInput,
  type ChainKind,
  type Deployment,
  type DeployParameters,
  type GenLayerNetwork,
  type GenLayerNetworkParameters,
  type ModelLabel,
  type ModelProvider,
  type ModelSpec,
} from "./genlayer/index.ts";
export {
  bareEnvironment,
  claimPort,
  createTemporaryFolder,
  startChild,
  type Child,
  type ChildParameters,
} from "./process/index.ts";
export {
  buildSubgraph,
  placeSubgraph,
  queryGraph,
  startGraphNode,
  startPostgres,
  watchGraphNode,
  type CompiledSubgraph,
  type GraphNode,
  type GraphNodeParameters,
  type Postgres,
  type SubgraphTarget,
  type WatchedGraphNode,
  type WatchOptions,
} from "./graph/index.ts";
