import { TypedDataEncoder } from "ethers";
import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";

/** One member of an EIP-712 struct. */
export interface TypedDataField {
  name: string;
  type: string;
}

/** EIP-712 domain that binds a signature to one contract on one chain. */
export interface Domain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
}

/** Everything that a signer needs; ethers' `signTypedData` takes `domain`, `types` and `message` as they are. */
export interface TypedData {
  readonly domain: Domain;
  /** Without the domain's own type, which signers add. */
  readonly types: Record<string, TypedDataField[]>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** The 32 bytes that are signed. */
export function typedDataDigest(typedData: TypedData): Hex {
  return TypedDataEncoder.hash(typedData.domain, typedData.types, typedData.message) as Hex;
}
