import { AbiCoder } from "ethers";
import { type Address, toAddress } from "../primitives/address.ts";
import { toChainId } from "../primitives/chain-id.ts";
import { bytesOf, type Hex } from "../primitives/hex.ts";
import { keccak256 } from "../primitives/keccak256.ts";
import { toUint } from "../primitives/uint.ts";

/**
 * What stands for an ERC-8183 job wherever an agreement's id stands: keccak256(abi.encode(chain id, commerce, job id)),
 * as the evaluator's `jobKeyOf`.
 *
 * @param commerce the ERC-8183 contract.
 * @throws ValueError when a member does not fit its Solidity type.
 */
export function jobKeyOf(chainId: number, commerce: Address, jobId: bigint): Hex {
  const words = [toChainId(chainId), toAddress(commerce), toUint(jobId, 256, "jobId")];
  return keccak256(bytesOf(AbiCoder.defaultAbiCoder().encode(["uint256", "address", "uint256"], words)));
}
