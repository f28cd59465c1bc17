import type { Address } from "../primitives/address.ts";

/** Bounds of a workflow's parts in bytes of UTF-8, as `responsibility.py` enforces them; refused, never cut. */
export const WORKFLOW_LIMITS = {
  taskSpecBytes: 8_000,
  obligationBytes: 6_000,
  acceptanceCriteriaBytes: 6_000,
  outputBytes: 16_000,
  assessors: 8,
  patience: 1_000_000,
} as const;

/** The verdicts, in the contract's order. INCONCLUSIVE is a finding about complete texts, never an error. */
export const RESPONSIBILITY_VERDICTS = [
  "AGENT_A_FAULT",
  "AGENT_B_FAULT",
  "SHARED_FAULT",
  "NEITHER_AGENT_FAULT",
  "INCONCLUSIVE",
] as const;

/** Who was at fault. */
export type ResponsibilityVerdict = (typeof RESPONSIBILITY_VERDICTS)[number];

/** What two agents consent to. */
export interface Workflow {
  /** Who created it; keys are scoped by creator. */
  readonly creator: Address;
  /** `[A-Za-z0-9._-]{1,64}`. */
  readonly workflowId: string;
  readonly agentA: Address;
  readonly agentB: Address;
  readonly taskSpec: string;
  readonly agentAObligation: string;
  readonly agentBObligation: string;
  readonly acceptanceCriteria: string;
  /** The addresses whose assessments count, 1 to 8; any order here, ascending in the digest. */
  readonly assessors: readonly Address[];
  /** Messages to the contract, of anyone, without a step of the workflow, after which it may be closed. */
  readonly patience: number;
}
