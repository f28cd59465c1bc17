import type { TransactionLike } from "ethers";
import type { Address, Hex, TypedData } from "@assay/protocol";

/** An account that can sign. Its key stays inside. */
export interface Signer {
  readonly address: Address;
  signTypedData(typedData: TypedData): Promise<Hex>;
  /** The signed transaction, raw. */
  signTransaction(transaction: TransactionLike): Promise<Hex>;
}

/** A wallet whose address is known, and whose key is there only once it is unlocked. */
export interface Wallet {
  /** For messages. */
  readonly name: string;
  readonly address: Address;
  /** Asks for the password if one is needed; at most once. @throws CliError when it is wrong or can't be had. */
  unlock(): Promise<Signer>;
}
