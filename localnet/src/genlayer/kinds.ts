import type { Hex } from "./execution/executor.ts";

/** Which of the two families of GenLayer networks is imitated; genlayer-js speaks differently to each. */
export type ChainKind = "studio" | "testnet";

/** A network's identity, as pinned in genlayer-js 1.2.0's chain objects. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly consensusMain: Hex;
  readonly consensusData: Hex;
  /** The contracts that genlayer-js reads to price an appeal; only testnets have them. */
  readonly appealContracts?: { readonly feeManager: Hex; readonly rounds: Hex; readonly appeals: Hex };
}

/** `studio` is genlayer-js's `localnet`, `testnet` its `testnetBradbury`. */
export const CHAIN_IDENTITIES: Readonly<Record<ChainKind, ChainIdentity>> = {
  studio: {
    chainId: 61127,
    consensusMain: "0xb7278A61aa25c888815aFC32Ad3cC52fF24fE575",
    consensusData: "0x88B0F18613Db92Bf970FfE264E02496e20a74D16",
  },
  testnet: {
    chainId: 4221,
    consensusMain: "0x0112Bf6e83497965A5fdD6Dad1E447a6E004271D",
    consensusData: "0x85D7bf947A512Fc640C75327A780c90847267697",
    appealContracts: {
      feeManager: "0xF205868bf5db79d2162843742D18D0900A9E462a",
      rounds: "0x7134D05af13A14c0b66Fe129fb930b1d0C420e33",
      appeals: "0xbb8C35AA878D09b9830aFF9e5aAC6492BFbd5471",
    },
  },
};
