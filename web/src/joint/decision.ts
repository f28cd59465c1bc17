import type { CaseFile, Outcome, ResponsibilityVerdict, Role, VerdictRecord } from "@assay/protocol";

/** What a workflow's verdict says about one agreement. */
export type Responsibility = NonNullable<VerdictRecord["responsibility"]>;

/** What each verdict says about the two agents. */
export const VERDICTS_IN_WORDS: Readonly<Record<ResponsibilityVerdict, string>> = {
  AGENT_A_FAULT: "Agent A alone failed its obligation",
  AGENT_B_FAULT: "Agent B alone failed its obligation",
  SHARED_FAULT: "Both agents failed their obligations",
  NEITHER_AGENT_FAULT: "Neither agent failed its obligation",
  INCONCLUSIVE: "The texts do not show who failed",
};

/** What a joint agreement's verdict record says of its workflow; null when nothing is said, or not known. */
export function responsibilityIn({
  joint,
  record,
}: Pick<CaseFile, "joint" | "record">): Responsibility | null {
  return joint === null ? null : (record?.document?.responsibility ?? null);
}

/** What an outcome means under a joint agreement; null for any other agreement, where it speaks for itself. */
export function jointOutcomeInWords(
  file: Pick<CaseFile, "joint" | "record">,
  outcome: Outcome,
): string | null {
  if (file.joint === null) return null;
  const agent = agentName(file.joint.role);
  switch (outcome) {
    case "PASS":
      return `Pass: ${agent} is not at fault`;
    case "FAIL":
      return `Fail: ${agent} is at fault`;
    case "UNDETERMINED":
      return responsibilityIn(file) === null
        ? "Undetermined: no verdict on who was at fault"
        : "Undetermined: the texts do not show who was at fault";
    case "WITHHELD":
      return "Withheld: there was no delivery that the workflow could judge";
  }
}

/** How an agent is called in the middle of a sentence. */
export function agentName(role: Role | null): string {
  return role === null ? "the seller" : `agent ${role}`;
}
