import { ValueError } from "./value-error.ts";

/**
 * Returns `chainId` when it is an EVM chain id that JSON can carry: a positive integer below 2^53.
 *
 * @throws ValueError `chain_id_out_of_range` otherwise.
 */
export function toChainId(chainId: number): number {
  if (!Number.isSafeInteger(chainId) || chainId < 1) {
    throw new ValueError(
      "chain_id_out_of_range",
      `${chainId} is not a chain id`,
      "Pass the chain's positive integer id, for instance 8453 for Base.",
    );
  }
  return chainId;
}
