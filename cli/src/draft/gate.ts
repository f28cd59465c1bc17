import type { Address } from "@assay/protocol";
import { UsageError } from "../errors.ts";
import type { Network } from "../options/network.ts";

/** The contract that pays when the agreed steps were walked; no judge and no operator is asked. */
export interface Gate {
  readonly address: Address;
}

/**
 * The gate that a new agreement names as its adjudicator.
 *
 * @param named its address, or true for the one of the network's profile.
 * @throws UsageError when the profile has none.
 */
export function gateOf(named: Address | true, network: Pick<Network, "gate">): Gate {
  if (named !== true) return { address: named };
  if (network.gate !== null) return { address: network.gate };
  throw new UsageError(
    "nobody says where the execution proof gate is",
    "Give its address with --gate, or use a network's profile that names one.",
  );
}
