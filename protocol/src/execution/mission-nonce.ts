import { concat } from "ethers";
import { bytesOf, type Hex, toHash } from "../primitives/hex.ts";
import { keccak256 } from "../primitives/keccak256.ts";

/**
 * `keccak256(abi.encode(bytes32 recorderNonce))`: what a recorder says before it sees the agent's nonce, so that it
 * cannot choose its own afterwards.
 *
 * @throws ValueError `hex_malformed`.
 */
export function nonceCommitment(recorderNonce: Hex): Hex {
  return keccak256(bytesOf(toHash(recorderNonce)));
}

/**
 * `keccak256(abi.encode(bytes32 recorderNonce, bytes32 agentNonce))`: the nonce of a mission that no agreement fixes.
 *
 * @throws ValueError `hex_malformed`.
 */
export function missionNonce(recorderNonce: Hex, agentNonce: Hex): Hex {
  return keccak256(bytesOf(concat([toHash(recorderNonce), toHash(agentNonce)])));
}
