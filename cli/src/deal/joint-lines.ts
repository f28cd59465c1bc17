import {
  amountInWords,
  jointPlanOf,
  printable,
  roleIn,
  ROLES,
  type Hex,
  type JointAgreement,
} from "@assay/protocol";
import { table } from "../output/table.ts";
import type { Session } from "../session.ts";

/** A joint agreement for people: both agents, which one this agreement pays, and the workflow that decides. */
export function jointLines(
  { wording }: Pick<Session, "wording">,
  agreementId: Hex,
  agreement: JointAgreement,
): string[] {
  const { joint } = agreement;
  const plan = jointPlanOf(agreement);
  const own = roleIn(plan, agreementId);
  const indented = (text: string): string[] => text.split(/\r?\n/).map((line) => `    ${printable(line)}`);
  return [
    own === null
      ? "Joint: these terms are NEITHER side of the document, so no operator has it judged"
      : `Joint: a workflow finds which of two agents failed its obligation; this agreement pays agent ${own}`,
    ...ROLES.flatMap((role) => {
      const { agreementId: id, terms } = plan.sides[role];
      return [
        `  Agent ${role}  ${terms.seller}, ${amountInWords(terms.reward, wording)} from ${terms.buyer}, agreement ${id}`,
        ...indented(role === "A" ? joint.a.obligation : joint.b.obligation),
      ];
    }),
    "  Acceptance criteria",
    ...indented(joint.acceptanceCriteria),
    ...table(
      [
        ["workflow", plan.place.workflowKey],
        ["digest", plan.workflowDigest],
        ["creator", joint.creator],
        ["patience", `${joint.patience} messages`],
      ],
      2,
    ),
  ];
}
