import type { ResponsibilityVerdict } from "./workflow.ts";

/** Which of a workflow's two agents. */
export const ROLES = ["A", "B"] as const;

/** Which of a workflow's two agents. */
export type Role = (typeof ROLES)[number];

/** The other agent. */
export function otherRole(role: Role): Role {
  return role === "A" ? "B" : "A";
}

/** What a workflow's verdict means for the agreement of one agent: who is not at fault is paid. */
export function outcomeForRole(verdict: ResponsibilityVerdict, role: Role): "PASS" | "FAIL" | "UNDETERMINED" {
  switch (verdict) {
    case "AGENT_A_FAULT":
      return role === "A" ? "FAIL" : "PASS";
    case "AGENT_B_FAULT":
      return role === "B" ? "FAIL" : "PASS";
    case "SHARED_FAULT":
      return "FAIL";
    case "NEITHER_AGENT_FAULT":
      return "PASS";
    case "INCONCLUSIVE":
      return "UNDETERMINED";
  }
}
