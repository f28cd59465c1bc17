import { Wallet, encryptKeystoreJsonSync } from "ethers";
import type { Address } from "@assay/protocol";

/** A new random key, encrypted as a keystore of version 3 (scrypt). Takes about a second: that is what protects it. */
export function createKeystore(password: string): { readonly address: Address; readonly json: string } {
  const { address, privateKey } = Wallet.createRandom();
  return { address: address as Address, json: encryptKeystoreJsonSync({ address, privateKey }, password) };
}
