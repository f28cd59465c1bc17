import type { Address } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { executionDomain } from "../typed-data/domains.ts";
import type { TypedData, TypedDataField } from "../typed-data/typed-data.ts";

/** What a seller signs so that a recorder's agent may walk for its agreement. */
export const WALK_AUTHORIZATION_TYPES: { WalkAuthorization: TypedDataField[] } = {
  WalkAuthorization: [
    { name: "agreementId", type: "bytes32" },
    { name: "agentId", type: "string" },
  ],
};

/** What `walkAuthorizationTypedData` takes. */
export interface WalkAuthorizationParameters {
  readonly agreementId: Hex;
  /** The agent's name with the recorder. */
  readonly agentId: string;
  /** EVM chain of the escrow. */
  readonly chainId: number;
  readonly escrow: Address;
}

/**
 * Names who walks for an agreement, for its seller to sign: an agreement is walked for once, so nobody else may begin.
 *
 * @throws ValueError when the id, the chain id or the address is malformed.
 */
export function walkAuthorizationTypedData(parameters: WalkAuthorizationParameters): TypedData {
  return {
    domain: executionDomain(parameters.chainId, parameters.escrow),
    types: WALK_AUTHORIZATION_TYPES,
    primaryType: "WalkAuthorization",
    message: { agreementId: toHash(parameters.agreementId), agentId: parameters.agentId },
  };
}
