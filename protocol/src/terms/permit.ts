import type { Address } from "../primitives/address.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";
import type { TokenDomain } from "./funding-authorization.ts";

/** EIP-712 type of an allowance by signature (ERC-2612). */
export const PERMIT_TYPES: { Permit: TypedDataField[] } = {
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
};

/** What an account signs to let `spender` take `value` until `deadline` (Unix seconds). */
export function permitTypedData(permit: {
  readonly token: TokenDomain;
  readonly owner: Address;
  readonly spender: Address;
  readonly value: bigint;
  readonly nonce: bigint;
  readonly deadline: number;
}): TypedData {
  const { token, ...message } = permit;
  const { name, version, chainId, address } = token;
  return {
    domain: { name, version, chainId, verifyingContract: address },
    types: PERMIT_TYPES,
    primaryType: "Permit",
    message: { ...message, deadline: BigInt(message.deadline) },
  };
}
