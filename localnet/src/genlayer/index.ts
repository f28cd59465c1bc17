export { type CalldataInput, encodeCalldata } from "./calldata.ts";
export { deployContract, type Deployment, type DeployParameters } from "./deploy.ts";
export { startGenLayerNetwork, type GenLayerNetwork, type GenLayerNetworkParameters } from "./network.ts";
export type { ChainKind } from "./kinds.ts";
export type { ModelLabel } from "./engine/nodes.ts";
export type { ModelProvider, ModelSpec } from "./models/model.ts";
