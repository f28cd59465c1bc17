import type { Hex } from "../primitives/hex.ts";
import type { Outcome } from "../verdict/outcome.ts";

/** How a step of an audit ended. NOT_CHECKED says why in its note; it never stands for a doubt about the values. */
export const STEP_RESULTS = ["PASS", "FAIL", "NOT_CHECKED"] as const;

/** How a step of an audit ended. */
export type StepResult = (typeof STEP_RESULTS)[number];

/** What one step found. */
export interface Finding {
  readonly result: StepResult;
  /** The value that had to be there. */
  readonly expected?: string;
  /** The value that was there. */
  readonly actual?: string;
  /** In one sentence. */
  readonly note: string;
}

/**
 * What a step rests on: `computed` follows from hashes and signatures, whoever handed the evidence over; `reported`
 * takes a node's word (or a bundle's, for what a node said when it was made).
 */
export type Basis = "computed" | "reported";

/** One step of an audit. */
export interface AuditStep extends Finding {
  /** Stable name, for machines. */
  readonly id: string;
  readonly title: string;
  readonly basis: Basis;
}

/** Everything that an audit found, in the order in which one fact rests on another. */
export interface AuditReport {
  readonly agreementId: Hex;
  /** How the agreement ended on chain, by the name of the escrow's event; null while it lives. */
  readonly ending: string | null;
  /** What the verdict says; null when no verdict ended the agreement. */
  readonly outcome: Outcome | null;
  /** FAIL when any step failed, INCOMPLETE when none did but some could not be checked. */
  readonly result: "PASS" | "FAIL" | "INCOMPLETE";
  readonly passed: number;
  readonly failed: number;
  readonly notChecked: number;
  readonly steps: readonly AuditStep[];
}
