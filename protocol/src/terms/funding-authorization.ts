import { type Address, toAddress } from "../primitives/address.ts";
import { toChainId } from "../primitives/chain-id.ts";
import type { Hex } from "../primitives/hex.ts";
import { toUint } from "../primitives/uint.ts";
import { ValueError } from "../primitives/value-error.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";
import { agreementIdOf } from "./agreement-id.ts";
import type { Terms } from "./terms.ts";

/** EIP-712 type of ERC-3009's `receiveWithAuthorization`, which only the payee can redeem. */
export const RECEIVE_WITH_AUTHORIZATION_TYPES: { ReceiveWithAuthorization: TypedDataField[] } = {
  ReceiveWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
};

/** The token's own EIP-712 domain; read name and version from the token, they differ between chains. */
export interface TokenDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly address: Address;
}

/** What `fundingAuthorizationTypedData` takes. */
export interface FundingAuthorizationParameters {
  readonly terms: Terms;
  readonly agreementId: Hex;
  readonly escrow: Address;
  readonly token: TokenDomain;
  /** Unix time in seconds; the authorization works strictly after it. */
  readonly validAfter: number | bigint;
  /** Unix time in seconds; the authorization works strictly before it. */
  readonly validBefore: number | bigint;
}

/**
 * What the buyer signs once to freeze the terms and pay: an ERC-3009 authorization whose nonce is the agreement's
 * id, so that the escrow can draw the reward for exactly these terms and nothing else.
 *
 * @throws ValueError `agreement_id_mismatch` when `agreementId` is not that of `terms` in this escrow.
 */
export function fundingAuthorizationTypedData(parameters: FundingAuthorizationParameters): TypedData {
  const { terms, escrow, token } = parameters;
  const agreementId = agreementIdOf(terms, token.chainId, escrow);
  if (agreementId !== parameters.agreementId.toLowerCase()) {
    throw new ValueError(
      "agreement_id_mismatch",
      `The terms' id in this escrow is ${agreementId}, not ${parameters.agreementId}`,
      "Compute the id from the same terms, chain and escrow.",
    );
  }
  return {
    domain: {
      name: token.name,
      version: token.version,
      chainId: toChainId(token.chainId),
      verifyingContract: toAddress(token.address),
    },
    types: RECEIVE_WITH_AUTHORIZATION_TYPES,
    primaryType: "ReceiveWithAuthorization",
    message: {
      from: toAddress(terms.buyer),
      to: toAddress(escrow),
      value: terms.reward,
      validAfter: toUint(parameters.validAfter, 256, "validAfter"),
      validBefore: toUint(parameters.validBefore, 256, "validBefore"),
      nonce: agreementId,
    },
  };
}
