import { AbiCoder, getBytes } from "ethers";
import { type Address, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import { keccak256 } from "../primitives/keccak256.ts";

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
  return keccak256(getBytes(encoded));
}
