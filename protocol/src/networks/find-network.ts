import { type EvmNetwork, type GenLayerNetwork, NETWORKS, type Network } from "./networks.ts";

/** The network of that name on either layer. */
export function findNetwork(name: string): Network | undefined {
  return NETWORKS.find((network) => network.name === name);
}

/** The GenLayer network of that name, which is the name of its chain object in genlayer-js. */
export function findGenLayerNetwork(name: string): GenLayerNetwork | undefined {
  return NETWORKS.find(
    (network): network is GenLayerNetwork => network.layer === "genlayer" && network.name === name,
  );
}

/** The EVM network with that chain id. */
export function findEvmNetwork(chainId: number): EvmNetwork | undefined {
  return NETWORKS.find(
    (network): network is EvmNetwork => network.layer === "evm" && network.chainId === chainId,
  );
}
