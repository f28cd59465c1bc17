import { Wallet, type Provider } from "ethers";
import type { EvmAccount } from "@assay/localnet";

/** The people of the demonstration, each with a key that the local chain funds and everybody knows. */
export interface Cast {
  deployer: Wallet;
  buyer: Wallet;
  seller: Wallet;
  /** Pays gas for what others signed. */
  relayer: Wallet;
  /** The operator's three keys: it signs verdicts, pays for EVM transactions, pays for GenLayer transactions. */
  attester: Wallet;
  submitter: Wallet;
  judgeRelayer: Wallet;
}

/** Deals the chain's accounts out, in their order. */
export function castFrom(accounts: EvmAccount[], provider: Provider): Cast {
  const at = (index: number): Wallet => {
    const account = accounts[index];
    if (!account) throw new Error(`The EVM chain has no account ${index}`);
    return new Wallet(account.privateKey, provider);
  };
  return {
    deployer: at(0),
    buyer: at(1),
    seller: at(2),
    relayer: at(3),
    attester: at(4),
    submitter: at(5),
    judgeRelayer: at(6),
  };
}
