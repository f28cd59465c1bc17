import { HDNodeWallet, Mnemonic } from "ethers";
import { findEvmNetwork, toAddress } from "@assay/protocol";
import { keySigner } from "./key-signer.ts";
import type { Wallet } from "./signer.ts";

/** The phrase of every EVM development chain: whatever it owns anywhere else is anybody's. */
const PUBLIC_PHRASE = "test test test test test test test test test test test junk";

/** The public development account of that number, for a chain that is a stand-in on one machine; else null. */
export function developmentWallet(name: string, index: number, chainId: number): Wallet | null {
  if (findEvmNetwork(chainId)?.simulated !== true) return null;
  const parent = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(PUBLIC_PHRASE), "m/44'/60'/0'/0");
  const { address, privateKey } = parent.deriveChild(index);
  return { name, address: toAddress(address), unlock: () => Promise.resolve(keySigner(privateKey)) };
}
