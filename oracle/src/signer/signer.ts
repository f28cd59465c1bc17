import { Transaction } from "ethers";
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
    signTransaction({ chainId, nonce, to, data, gasLimit, fees }) {
      const transaction = Transaction.from({
        type: 2,
        chainId,
        nonce,
        to,
        data,
        gasLimit,
        maxFeePerGas: fees.maxFeePerGas,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
        value: 0n,
      });
      const digest = keccak256(bytesOf(transaction.unsignedSerialized));
      transaction.signature = signDigest(key.privateKey.reveal(), digest);
      const raw = transaction.serialized as Hex;
      return Promise.resolve({
        transactionHash: keccak256(bytesOf(raw)),
        raw,
        nonce,
        fee: fees.maxFeePerGas,
      });
    },
  };
}
