import {
  adjudicatorConfigOf,
  isSameAddress,
  jointPlanOf,
  ROLES,
  validateTerms,
  type Agreement,
  type Joint,
  type JointAgreement,
  type JointPlan,
  type Role,
} from "@assay/protocol";
import type { Deal } from "../deal/deal-file.ts";
import { UsageError } from "../errors.ts";
import type { Session } from "../session.ts";
import { encode, refuse } from "./draw-up.ts";
import type { Adjudicator } from "./quorum.ts";

/** Both agreements of a joint document. */
export interface JointDeals {
  readonly plan: JointPlan;
  readonly deals: Readonly<Record<Role, Deal>>;
}

/** What of the document's member `joint` does not follow from the network. */
export type JointDraft = Omit<Joint, "chainId" | "escrow" | "adjudicator" | "adjudicatorConfig">;

/**
 * Makes two deals of one document, if the escrow would take both and the workflow can be judged.
 *
 * @param now the chain's time.
 * @throws UsageError with everything that is wrong, one thing a line.
 */
export function drawUpJoint(
  { network, token }: Pick<Session, "network" | "token">,
  draft: Agreement,
  joint: JointDraft,
  { address, members, threshold }: Adjudicator,
  now: number,
): JointDeals {
  const { chainId, escrow } = network;
  refuseOrdinaryJudge(draft, network.adjudication);
  const agreement: JointAgreement = {
    ...draft,
    joint: {
      chainId,
      escrow,
      adjudicator: address,
      adjudicatorConfig: adjudicatorConfigOf(members, threshold),
      ...joint,
    },
  };
  const document = encode(agreement);
  const plan = jointPlanOf(agreement);
  const problems = ROLES.flatMap((role) =>
    validateTerms(plan.sides[role].terms, now, { escrow, token: token.address }).map(
      ({ message, hint }) => `agent ${role}: ${message}. ${hint}`,
    ),
  );
  if (problems.length > 0) refuse(problems);
  const deal = (role: Role): Deal => {
    const { agreementId, terms } = plan.sides[role];
    return { agreementId, chainId, escrow, terms, quorum: { members, threshold }, agreement, document };
  };
  return { plan, deals: { A: deal("A"), B: deal("B") } };
}

/** The judge of agreements of one seller has no workflows: nobody could ever be paid by its verdict. */
function refuseOrdinaryJudge({ adjudication }: Agreement, judge: Agreement["adjudication"] | null): void {
  if (judge !== null && isSameAddress(adjudication.contract, judge.contract))
    throw new UsageError(
      `${adjudication.contract} judges agreements of one seller, and has no workflows`,
      "Name the responsibility contract and its code hash in --adjudication, or in the profile's member responsibility.",
    );
}
