import { AbiCoder } from "ethers";
import type { Agreement } from "../documents/agreement.ts";
import { type Address, toAddress } from "../primitives/address.ts";
import { bytesOf, type Hex, toHash } from "../primitives/hex.ts";
import { keccak256 } from "../primitives/keccak256.ts";
import type { Terms } from "../terms/terms.ts";
import { committedRoot, sequenceHash } from "./chain.ts";

/**
 * `adjudicatorConfig` of terms that an execution proof gate adjudicates: keccak256(abi.encode(bytes32 committedRoot,
 * address recorder)).
 *
 * @throws ValueError when the root or the address is malformed.
 */
export function executionGateConfigOf(committedRoot: Hex, recorder: Address): Hex {
  const encoded = AbiCoder.defaultAbiCoder().encode(
    ["bytes32", "address"],
    [toHash(committedRoot), toAddress(recorder)],
  );
  return keccak256(bytesOf(encoded));
}

/**
 * Whether the terms leave the decision to an execution proof gate: their configuration commits to exactly the walk and
 * the recorder of their agreement's document. No quorum's configuration does.
 */
export function isGated(
  terms: Pick<Terms, "adjudicatorConfig">,
  { execution }: Pick<Agreement, "execution">,
): boolean {
  if (execution === undefined) return false;
  const { nonce, steps, recorder } = execution;
  return (
    terms.adjudicatorConfig === executionGateConfigOf(committedRoot(nonce, sequenceHash(steps)), recorder)
  );
}
