import { createOperator, type OperatorSelf } from "@assay/evidence";
import { adjudicatorConfigOf, isSameAddress } from "@assay/protocol";
import { isWorded } from "../errors.ts";
import type { Network } from "../options/network.ts";
import { fail, ok, warn, type DoctorFinding } from "./finding.ts";

/** Whether enough of the operators are there, ready, and of the quorum that the profile names. */
export async function examineOperators(network: Network): Promise<DoctorFinding[]> {
  const { operators, quorum } = network;
  if (operators.length === 0)
    return [
      fail(
        "operators",
        "no operator is known",
        "Name them with --operator or in the profile; without them nobody judges.",
      ),
    ];
  const looked = await Promise.all(operators.map((url) => examineOperator(url, network)));
  const findings = looked.map(({ finding }) => finding);
  if (quorum === null)
    return [
      ...findings,
      warn("operators", "no profile says how many operators have to agree", "Use a profile with a quorum."),
    ];
  const ready = new Set(
    looked.flatMap(({ finding, self }) =>
      finding.result === "ok" &&
      self !== null &&
      quorum.members.some((member) => isSameAddress(member, self.attester))
        ? [self.attester]
        : [],
    ),
  );
  const message = `${ready.size} of ${quorum.members.length} operators are ready; ${quorum.threshold} have to agree`;
  return [
    ...findings,
    ready.size >= quorum.threshold
      ? ok("operators", message)
      : fail(
          "operators",
          message,
          "Wait, or name the operators that are missing: no verdict comes without them.",
        ),
  ];
}

async function examineOperator(
  url: string,
  { escrow, chainId, quorum }: Network,
): Promise<{ readonly finding: DoctorFinding; readonly self: OperatorSelf | null }> {
  const operator = createOperator(url);
  const { origin } = operator;
  try {
    const [self, { ready, failing }] = await Promise.all([operator.self(), operator.ready()]);
    return { self, finding: judge() };

    function judge(): DoctorFinding {
      if (!isSameAddress(self.evm.escrow, escrow) || (chainId !== null && self.evm.chainId !== chainId))
        return warn(
          "operator",
          `${origin} serves escrow ${self.evm.escrow} on chain ${self.evm.chainId}`,
          "It does not judge for this escrow; leave it out.",
        );
      if (
        quorum !== null &&
        adjudicatorConfigOf(self.quorum.members, self.quorum.threshold) !==
          adjudicatorConfigOf(quorum.members, quorum.threshold)
      )
        return warn(
          "operator",
          `${origin} belongs to another set of operators`,
          "It does not judge under this profile.",
        );
      if (self.halted !== null)
        return warn(
          "operator",
          `${origin} has stopped signing: ${self.halted}`,
          "Its operator has to look into it.",
        );
      if (!ready)
        return warn(
          "operator",
          `${origin} is not ready: ${failing.join("; ")}`,
          "Wait, or tell its operator.",
        );
      return ok("operator", `${origin} signs as ${self.attester} and is ready`);
    }
  } catch (error) {
    if (!isWorded(error)) throw error;
    return { self: null, finding: warn("operator", error.message, error.hint) };
  }
}
