import { Transaction, Wallet, getBytes, keccak256 as ethersKeccak256 } from "ethers";
import { typedDataDigest, type Address, type Hex, type TypedData } from "@assay/protocol";
import type { Key } from "../config/index.ts";
import type { Fees } from "../rpc/index.ts";
import type { SignedTransaction } from "../store/index.ts";

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
  const wallet = new Wallet(key.privateKey.reveal());
  return {
    address: key.address,
    signTypedData: (data) => Promise.resolve(wallet.signingKey.sign(typedDataDigest(data)).serialized as Hex),
  };
}

export function createSubmitter(key: Key): Submitter {
  const wallet = new Wallet(key.privateKey.reveal());
  return {
    address: key.address,
    async signTransaction({ chainId, nonce, to, data, gasLimit, fees }) {
      const raw = (await wallet.signTransaction(
        Transaction.from({
          type: 2,
          chainId,
          nonce,
          to,
          data,
          gasLimit,
          maxFeePerGas: fees.maxFeePerGas,
          maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
          value: 0n,
        }),
      )) as Hex;
      return { transactionHash: ethersKeccak256(getBytes(raw)) as Hex, raw, nonce, fee: fees.maxFeePerGas };
    },
  };
}
