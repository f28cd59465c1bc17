import { createOperator } from "@assay/evidence";
import { adjudicatorConfigOf, type Address } from "@assay/protocol";
import type { QuorumMembers } from "../deal/deal-file.ts";
import { UnavailableError, UsageError } from "../errors.ts";
import type { Network } from "../options/network.ts";

/** The contract that takes certificates, and the operators whose certificates it has to take. */
export interface Adjudicator extends QuorumMembers {
  readonly address: Address;
}

/**
 * Who certifies verdicts of new agreements: as the network's profile says, else as all of its operators say alike.
 *
 * @throws UsageError when nobody says; UnavailableError when the operators don't agree.
 */
export async function adjudicatorOf(network: Network & { readonly chainId: number }): Promise<Adjudicator> {
  if (network.quorum !== null) return network.quorum;
  if (network.operators.length === 0)
    throw new UsageError(
      "nobody says who certifies verdicts",
      "Use a network's profile with a quorum, or name its operators with --operator.",
    );
  const said = await Promise.all(network.operators.map((url) => createOperator(url).self()));
  const sets = said.map(({ evm, quorum }) => ({ ...quorum, address: evm.quorum, escrow: evm.escrow }));
  const [first] = sets;
  const isOne = sets.every(
    (set) =>
      first !== undefined &&
      set.address === first.address &&
      set.escrow === network.escrow &&
      adjudicatorConfigOf(set.members, set.threshold) === adjudicatorConfigOf(first.members, first.threshold),
  );
  if (first === undefined || !isOne)
    throw new UnavailableError(
      "the operators do not name one and the same quorum for this escrow",
      "Name operators of one set with --operator, or use a profile that says whom you trust.",
    );
  return { address: first.address, members: first.members, threshold: first.threshold };
}
