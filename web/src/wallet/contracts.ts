import type { Interface } from "ethers";
import {
  agreementEscrowAbi,
  fiatTokenAbi,
  interfaceOf,
  statusOfCode,
  toTermsStruct,
  type Address,
  type Hex,
  type StatusName,
  type Terms,
} from "@assay/protocol";
import { CallReverted, type ChainNode } from "./node.ts";
import type { Call } from "./transaction.ts";

/** A call of an escrow's function that takes the terms first. */
export function escrowCall(escrow: Address, method: string, terms: Terms, ...rest: readonly unknown[]): Call {
  return {
    to: escrow,
    data: interfaceOf(agreementEscrowAbi).encodeFunctionData(method, [toTermsStruct(terms), ...rest]) as Hex,
  };
}

/** A call that pays the sender's credits out. */
export function withdrawCall(escrow: Address, to: Address): Call {
  return { to: escrow, data: interfaceOf(agreementEscrowAbi).encodeFunctionData("withdraw", [to]) as Hex };
}

/** A call that lets a spender take so much of the sender's tokens, in base units. */
export function approveCall(token: Address, spender: Address, amount: bigint): Call {
  return {
    to: token,
    data: interfaceOf(fiatTokenAbi).encodeFunctionData("approve", [spender, amount]) as Hex,
  };
}

/** Where an agreement stands, by the contract at the newest block. */
export async function readStatus(node: ChainNode, escrow: Address, agreementId: Hex): Promise<StatusName> {
  const [code] = await read<[bigint, string]>(
    node,
    interfaceOf(agreementEscrowAbi),
    escrow,
    "stateOf",
    agreementId,
  );
  return statusOfCode(code) ?? "None";
}

/** What an account may withdraw, in base units. */
export async function readCredit(node: ChainNode, escrow: Address, account: Address): Promise<bigint> {
  return (await read<[bigint]>(node, interfaceOf(agreementEscrowAbi), escrow, "creditOf", account))[0];
}

/** A number that the token tells; null when it has no such function. */
export async function readToken(
  node: ChainNode,
  token: Address,
  method: "balanceOf" | "allowance" | "nonces" | "authorizationState",
  ...args: readonly unknown[]
): Promise<bigint | null> {
  try {
    return BigInt(
      (await read<[bigint | boolean]>(node, interfaceOf(fiatTokenAbi), token, method, ...args))[0],
    );
  } catch (error) {
    const isForeign = error instanceof CallReverted || (error as { code?: string }).code === "BAD_DATA";
    if (isForeign) return null;
    throw error;
  }
}

async function read<T extends unknown[]>(
  node: ChainNode,
  contract: Interface,
  to: Address,
  method: string,
  ...args: readonly unknown[]
): Promise<T> {
  const returned = await node.call({ to, data: contract.encodeFunctionData(method, args) as Hex });
  return contract.decodeFunctionResult(method, returned).toArray() as T;
}
