import { findGenLayerNetwork, type GenLayerNetwork } from "@assay/protocol";

import type { Hex } from "./execution/executor.ts";

/** Which of the two families of GenLayer networks is imitated; genlayer-js speaks differently to each. */
export type ChainKind = GenLayerNetwork["kind"];

/** A network's identity, as pinned in genlayer-js 1.2.0's chain objects. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly consensusMain: Hex;
  readonly consensusData: Hex;
  /** The contracts that genlayer-js reads to price an appeal; only testnets have them. */
  readonly appealContracts?: { readonly feeManager: Hex; readonly rounds: Hex; readonly appeals: Hex };
}

/** Each kind takes the identity of one network: its chain object in genlayer-js works unmodified. */
export const CHAIN_IDENTITIES: Readonly<Record<ChainKind, ChainIdentity>> = {
  studio: identityOf("localnet"),
  testnet: {
    ...identityOf("testnetBradbury"),
    appealContracts: {
      feeManager: "0xF205868bf5db79d2162843742D18D0900A9E462a",
      rounds: "0x7134D05af13A14c0b66Fe129fb930b1d0C420e33",
      appeals: "0xbb8C35AA878D09b9830aFF9e5aAC6492BFbd5471",
    },
  },
};

function identityOf(name: string): ChainIdentity {
  const network = findGenLayerNetwork(name);
  if (network === undefined) throw new Error(`protocol knows no GenLayer network ${name}`);
  const { chainId, consensusMain, consensusData } = network;
  return { chainId, consensusMain, consensusData };
}
