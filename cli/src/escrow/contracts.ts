import type { Interface } from "ethers";
import {
  agreementEscrowAbi,
  fiatTokenAbi,
  interfaceOf,
  statusOfCode,
  toAddress,
  toTermsStruct,
  type Address,
  type Hex,
  type StatusName,
  type Terms,
} from "@assay/protocol";
import { UnavailableError } from "../errors.ts";
import { CallRevertedError, type Node } from "../transact/node.ts";

/** The token that an escrow holds. */
export interface Token {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  /** Of its EIP-712 domain. */
  readonly version: string;
  readonly decimals: number;
}

/** Where an agreement stands, by the contract. */
export interface OnChainState {
  readonly status: StatusName;
  /** First 31 bytes of the submission's hash; null when there is none. */
  readonly submissionHashPrefix: Hex | null;
}

/** Calldata of an escrow's function that takes the terms first. */
export function escrowCall(method: string, terms: Terms, ...rest: readonly unknown[]): Hex {
  return interfaceOf(agreementEscrowAbi).encodeFunctionData(method, [toTermsStruct(terms), ...rest]) as Hex;
}

/** Calldata of `withdraw`. */
export function withdrawCall(to: Address): Hex {
  return interfaceOf(agreementEscrowAbi).encodeFunctionData("withdraw", [to]) as Hex;
}

/** Calldata of the token's `approve`. */
export function approveCall(spender: Address, amount: bigint): Hex {
  return interfaceOf(fiatTokenAbi).encodeFunctionData("approve", [spender, amount]) as Hex;
}

/**
 * Reads the escrow's token.
 *
 * @throws UnavailableError when there is no escrow at that address, or its token does not answer.
 */
export async function readToken(node: Node, escrow: Address): Promise<Token> {
  if (!(await node.hasCode(escrow)))
    throw new UnavailableError(
      `there is no contract at ${escrow} on this chain`,
      "Check --escrow, and that --rpc-url belongs to the escrow's chain.",
    );
  const [address] = await read<[string]>(node, interfaceOf(agreementEscrowAbi), escrow, "token", []);
  const token = toAddress(address);
  const ask = async <T>(method: string): Promise<T> =>
    (await read<[T]>(node, interfaceOf(fiatTokenAbi), token, method, []))[0];
  const [symbol, name, version, decimals] = await Promise.all([
    ask<string>("symbol"),
    ask<string>("name"),
    ask<string>("version"),
    ask<bigint>("decimals"),
  ]);
  return { address: token, symbol, name, version, decimals: Number(decimals) };
}

/** What the escrow says about an agreement. */
export async function readState(node: Node, escrow: Address, agreementId: Hex): Promise<OnChainState> {
  const [code, prefix] = await read<[bigint, string]>(
    node,
    interfaceOf(agreementEscrowAbi),
    escrow,
    "stateOf",
    [agreementId],
  );
  const status = statusOfCode(code);
  if (status === undefined)
    throw new UnavailableError(
      `the escrow answers with the unknown status ${code}`,
      "Use a version of assay that knows this escrow.",
    );
  return { status, submissionHashPrefix: /^0x0*$/.test(prefix) ? null : (prefix as Hex) };
}

/** What an account may withdraw, in base units. */
export async function readCredit(node: Node, escrow: Address, account: Address): Promise<bigint> {
  return (await read<[bigint]>(node, interfaceOf(agreementEscrowAbi), escrow, "creditOf", [account]))[0];
}

/** What an account holds of the token, in base units. */
export async function readBalance(node: Node, token: Address, account: Address): Promise<bigint> {
  return (await read<[bigint]>(node, interfaceOf(fiatTokenAbi), token, "balanceOf", [account]))[0];
}

/** What a spender may draw from an account, in base units. */
export async function readAllowance(
  node: Node,
  token: Address,
  owner: Address,
  spender: Address,
): Promise<bigint> {
  return (await read<[bigint]>(node, interfaceOf(fiatTokenAbi), token, "allowance", [owner, spender]))[0];
}

/** The number that an account's next permit (EIP-2612) has to carry. */
export async function readPermitNonce(node: Node, token: Address, owner: Address): Promise<bigint> {
  return (await read<[bigint]>(node, interfaceOf(fiatTokenAbi), token, "nonces", [owner]))[0];
}

async function read<T extends unknown[]>(
  node: Node,
  contract: Interface,
  to: Address,
  method: string,
  args: readonly unknown[],
): Promise<T> {
  try {
    const returned = await node.call({ to, data: contract.encodeFunctionData(method, args) as Hex });
    return contract.decodeFunctionResult(method, returned).toArray() as T;
  } catch (error) {
    const isForeign = error instanceof CallRevertedError || (error as { code?: string }).code === "BAD_DATA";
    if (!isForeign) throw error;
    throw new UnavailableError(
      `the contract at ${to} does not answer ${method}()`,
      "Check --escrow, and that --rpc-url belongs to the escrow's chain.",
      { cause: error },
    );
  }
}
