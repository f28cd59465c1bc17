import { Wallet as EthersWallet } from "ethers";
import { toAddress, type Hex } from "@assay/protocol";
import type { Signer } from "./signer.ts";

/** Signs with a private key in memory. */
export function keySigner(privateKey: string): Signer {
  const wallet = new EthersWallet(privateKey);
  return {
    address: toAddress(wallet.address),
    signTypedData: async ({ domain, types, message }) =>
      (await wallet.signTypedData(domain, types, message)) as Hex,
    signTransaction: async (transaction) => (await wallet.signTransaction(transaction)) as Hex,
  };
}
