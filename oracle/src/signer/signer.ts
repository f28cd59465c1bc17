import { Transaction, type TransactionLike } from "ethers";
import { bytesOf, keccak256, typedDataDigest, type Address, type Hex, type TypedData } from "@assay/protocol";
import type { Key } from "../config/index.ts";
import type { Fees } from "../rpc/index.ts";
import type { SignedTransaction } from "../store/index.ts";
import { signDigest } from "./secp256k1.ts";

/** Signs certificates. Holds no gas money and sends nothing. */
export interface Attester {
  readonly address: Address;
  signTypedData(data: TypedData): Promise<Hex>;
}

/** Signs settlement transactions. Its address holds only what the next settlements cost. */
export interface Submitter {
  readonly address: Address;
  signTransaction(request: {
    readonly chainId: number;
    readonly nonce: number;
    readonly to: Address;
    readonly data: Hex;
    readonly gasLimit: bigint;
    readonly fees: Fees;
  }): Promise<SignedTransaction>;
}

/**
 * Signs a transaction of either chain.
 *
 * @param transaction all that is signed: its type, chain id, nonce, gas and price among it
 */
export function signTransaction(key: Key, transaction: TransactionLike): SignedTransaction {
  const signed = Transaction.from(transaction);
  signed.signature = signDigest(key.privateKey.reveal(), keccak256(bytesOf(signed.unsignedSerialized)));
  const raw = signed.serialized as Hex;
  return {
    transactionHash: keccak256(bytesOf(raw)),
    raw,
    nonce: signed.nonce,
    fee: signed.maxFeePerGas ?? signed.gasPrice ?? 0n,
  };
}

export function createAttester(key: Key): Attester {
  return {
    address: key.address,
    signTypedData: (data) =>
      Promise.resolve(signDigest(key.privateKey.reveal(), typedDataDigest(data)).serialized as Hex),
  };
}

export function createSubmitter(key: Key): Submitter {
  return {
    address: key.address,
    signTransaction: ({ fees: { maxFeePerGas, maxPriorityFeePerGas }, ...request }) =>
      Promise.resolve(
        signTransaction(key, { type: 2, value: 0n, maxFeePerGas, maxPriorityFeePerGas, ...request }),
      ),
  };
}
