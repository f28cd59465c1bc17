import { encodeRlp, hexlify, Interface, toUtf8Bytes, Wallet, ZeroAddress } from "ethers";

import type { GenLayerNetwork } from "../../../localnet/src/genlayer/network.ts";

const V5 = new Interface(["function addTransaction(address,address,uint256,uint256,bytes)"]);
const V6 = new Interface(["function addTransaction(address,address,uint256,uint256,bytes,uint256)"]);
const CONSENSUS = new Interface([
  "function submitAppeal(bytes32)",
  "function finalizeTransaction(bytes32)",
  "function finalizeIdlenessTxs(bytes32[])",
  "function cancelTransaction(bytes32)",
]);

/** `get()`, not leader-only: enough of a payload for everything that does not run. */
export const GET_PAYLOAD = "0xce8c0e066d6574686f641c67657400";
/** `ctor("x", y=1)` of a two-character source. */
export const DEPLOY_PAYLOAD = encodeRlp([hexlify(toUtf8Bytes("class")), "0x0e04617267730d0c78", "0x00"]);

/** A deployment of this source without arguments. */
export function deployPayload(source: string): string {
  return encodeRlp([hexlify(toUtf8Bytes(source)), "0x06", "0x00"]);
}

export const CONTRACT = "0x00000000000000000000000000000000000000AA";

export interface AddTransaction {
  readonly sender?: string;
  readonly recipient?: string;
  readonly validators?: number;
  readonly rotations?: number;
  readonly payload?: string;
  /** Unix seconds; the older form without it. */
  readonly validUntil?: number;
}

/** The call data of addTransaction, in either form. */
export function addTransaction(wallet: Wallet, options: AddTransaction = {}): string {
  const {
    sender = wallet.address,
    recipient = CONTRACT,
    validators = 5,
    rotations = 3,
    payload = GET_PAYLOAD,
  } = options;
  const args = [sender, recipient, validators, rotations, payload];
  return options.validUntil === undefined
    ? V5.encodeFunctionData("addTransaction", args)
    : V6.encodeFunctionData("addTransaction", [...args, options.validUntil]);
}

/** The call data of the other functions of ConsensusMain. */
export function consensusCall(name: string, argument: unknown): string {
  return CONSENSUS.encodeFunctionData(name, [argument]);
}

export interface RawOverrides {
  readonly to?: string | null;
  readonly chainId?: number;
  readonly nonce?: number;
  readonly type?: number;
  readonly value?: bigint;
}

/** A signed raw transaction to ConsensusMain, as genlayer-js makes it. */
export async function sign(
  network: Pick<GenLayerNetwork, "chainId" | "consensusMain">,
  wallet: Wallet,
  data: string,
  overrides: RawOverrides = {},
): Promise<string> {
  const {
    type = 0,
    nonce = 0,
    value = 0n,
    chainId = network.chainId,
    to = network.consensusMain,
  } = overrides;
  const fees = type === 2 ? { maxFeePerGas: 0, maxPriorityFeePerGas: 0 } : { gasPrice: 0 };
  return await wallet.signTransaction({ type, nonce, value, chainId, to, data, gasLimit: 500_000, ...fees });
}

/** A wallet that has sent nothing yet. */
export function freshWallet(): Wallet {
  return new Wallet(Wallet.createRandom().privateKey);
}

export { ZeroAddress };
