import type { Address } from "../primitives/address.ts";

/** A network on which Intelligent Contracts judge. */
export interface GenLayerNetwork {
  readonly layer: "genlayer";
  /** Name of the chain object that genlayer-js exports. */
  readonly name: string;
  /** Two networks may share one; ConsensusMain is what tells them apart. */
  readonly chainId: number;
  readonly kind: "studio" | "testnet";
  readonly consensusMain: Address;
  readonly consensusData: Address;
  /** Whether one party runs leader and validators, so that consensus is shown rather than proven. */
  readonly simulated: boolean;
}

/** A network on which the escrow holds money. */
export interface EvmNetwork {
  readonly layer: "evm";
  readonly name: string;
  readonly chainId: number;
  /** Circle's USDC, where it is deployed. */
  readonly usdc?: Address;
  /** Whether this is a stand-in on one machine. */
  readonly simulated: boolean;
}

/** A network that some part of Assay runs on. */
export type Network = GenLayerNetwork | EvmNetwork;

const STUDIO_CONSENSUS = {
  consensusMain: "0xb7278A61aa25c888815aFC32Ad3cC52fF24fE575",
  consensusData: "0x88B0F18613Db92Bf970FfE264E02496e20a74D16",
} as const;

/** Every network known by name; names are unique across both layers. */
export const NETWORKS: readonly Network[] = [
  {
    layer: "genlayer",
    name: "localnet",
    chainId: 61127,
    kind: "studio",
    ...STUDIO_CONSENSUS,
    simulated: true,
  },
  {
    layer: "genlayer",
    name: "studionet",
    chainId: 61999,
    kind: "studio",
    ...STUDIO_CONSENSUS,
    simulated: true,
  },
  {
    layer: "genlayer",
    name: "testnetAsimov",
    chainId: 4221,
    kind: "testnet",
    consensusMain: "0x6CAFF6769d70824745AD895663409DC70aB5B28E",
    consensusData: "0x0D9d1d74d72Fa5eB94bcf746C8FCcb312a722c9B",
    simulated: false,
  },
  {
    layer: "genlayer",
    name: "testnetBradbury",
    chainId: 4221,
    kind: "testnet",
    consensusMain: "0x0112Bf6e83497965A5fdD6Dad1E447a6E004271D",
    consensusData: "0x85D7bf947A512Fc640C75327A780c90847267697",
    simulated: false,
  },
  { layer: "evm", name: "evmLocalnet", chainId: 31337, simulated: true },
  {
    layer: "evm",
    name: "base",
    chainId: 8453,
    usdc: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    simulated: false,
  },
  {
    layer: "evm",
    name: "baseSepolia",
    chainId: 84532,
    usdc: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    simulated: false,
  },
];
