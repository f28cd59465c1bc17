import type { Interface } from "ethers";
import type { Chain } from "@assay/evidence";
import {
  agreementEscrowAbi,
  fiatTokenAbi,
  interfaceOf,
  toAddress,
  type Address,
  type Hex,
} from "@assay/protocol";
import { useResource } from "../data/resources.tsx";
import { useNetwork } from "./context.tsx";

/** The token that an escrow holds, as its contract describes it. */
export interface Token {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  /** Of its EIP-712 domain. */
  readonly version: string;
  readonly decimals: number;
}

/** Calls a view at the newest block and decodes its first value. */
export async function view<T>(
  chain: Chain,
  contract: Interface,
  to: Address,
  method: string,
  args: readonly unknown[] = [],
): Promise<T> {
  const returned = await chain.call(to, contract.encodeFunctionData(method, args) as Hex, "latest");
  return contract.decodeFunctionResult(method, returned)[0] as T;
}

/** Reads the escrow's token. @throws UnavailableError when the node can't be asked. */
export async function readToken(chain: Chain, escrow: Address): Promise<Token> {
  const address = toAddress(await view<string>(chain, interfaceOf(agreementEscrowAbi), escrow, "token"));
  const ask = <T,>(method: string): Promise<T> => view<T>(chain, interfaceOf(fiatTokenAbi), address, method);
  const [symbol, name, version, decimals] = await Promise.all([
    ask<string>("symbol"),
    ask<string>("name"),
    ask<string>("version"),
    ask<bigint>("decimals"),
  ]);
  return { address, symbol, name, version, decimals: Number(decimals) };
}

/** The network's token; undefined until the chain has told. */
export function useToken(): Token | undefined {
  const { profile, chain } = useNetwork();
  const { escrow } = profile.evm;
  return useResource(`${profile.name}/token`, { load: () => readToken(chain, escrow) }).value;
}
