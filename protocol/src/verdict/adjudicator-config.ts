import { AbiCoder } from "ethers";
import { type Address, ZERO_ADDRESS, toAddress } from "../primitives/address.ts";
import { bytesOf, type Hex } from "../primitives/hex.ts";
import { keccak256 } from "../primitives/keccak256.ts";
import { ValueError, type ValueErrorCode } from "../primitives/value-error.ts";

/**
 * `adjudicatorConfig` of terms that a verdict quorum adjudicates: keccak256(abi.encode(address[] members,
 * uint256 threshold)).
 *
 * @param members operators, strictly ascending as numbers. They are not sorted here: signatures are matched to
 * members by position, so the caller has to hold the same order.
 * @param threshold how many distinct members must sign; at least one, at most all.
 * @throws ValueError naming what is wrong with the set.
 */
export function adjudicatorConfigOf(members: readonly Address[], threshold: number): Hex {
  const addresses = members.map((member) => toAddress(member));
  if (addresses.length === 0)
    refuse("quorum_empty", "The quorum has no members", "Name at least one operator.");
  for (const [index, address] of addresses.entries()) {
    const previous = addresses[index - 1];
    if (address === ZERO_ADDRESS)
      refuse(
        "quorum_zero_member",
        `Member ${index} is the zero address`,
        "Name a real operator; nobody can sign for zero.",
      );
    if (address === previous)
      refuse("quorum_duplicate_member", `${address} is named twice`, "Name every operator once.");
    if (previous !== undefined && BigInt(address) < BigInt(previous)) {
      refuse(
        "quorum_unsorted",
        `${address} comes after ${previous}`,
        "Sort the members ascending by their numeric value.",
      );
    }
  }
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > addresses.length) {
    refuse(
      "quorum_threshold_out_of_range",
      `The threshold is ${threshold} of ${addresses.length}`,
      `Choose an integer from 1 to ${addresses.length}.`,
    );
  }
  return keccak256(
    bytesOf(AbiCoder.defaultAbiCoder().encode(["address[]", "uint256"], [addresses, threshold])),
  );
}

function refuse(code: ValueErrorCode, message: string, hint: string): never {
  throw new ValueError(code, message, hint);
}
