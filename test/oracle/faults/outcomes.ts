import { OUTCOME_CODES, type Hex } from "@assay/protocol";
import { SimEvm } from "../support/sim-evm.ts";
import type { Plan } from "../support/sim-genlayer.ts";

/** Rounds that every agreement of these worlds allows. */
export const ROUNDS = 2;

/** An agreement or a job as the chain was told about it, and what may come of it. */
export interface SimulatedDeal {
  readonly kind: "agreement" | "job";
  readonly agreementId: Hex;
  /** Null when nothing is ever submitted. */
  readonly submissionHash: Hex | null;
  /** What the judge is asked about: the agreement, or the workflow of both sides. */
  readonly subject: Hex;
  /** Who decides: the judge, nobody because there is nothing to judge, or nobody at all. */
  readonly decidedBy: "judge" | "its absence" | "the clocks";
  readonly judged: readonly Plan[];
  /** Codes of the outcomes that a transaction means which ends so, with a record. */
  readonly codes: Readonly<Partial<Record<Plan, number>>>;
  /** The agreement of a joint document's other side. */
  readonly partnerId: Hex | null;
  /** Which agreement the parties may have ended themselves, its partner's or this one. */
  readonly concededId: Hex | null;
}

/** Codes of the outcomes that the plan leads to when nothing stops it; none when the clocks have to decide. */
export function plannedOutcomes({ decidedBy, judged, codes }: SimulatedDeal): readonly number[] {
  if (decidedBy === "its absence") return [OUTCOME_CODES.WITHHELD];
  if (decidedBy === "the clocks") return [];
  const record = judged.find((plan) => codes[plan] !== undefined);
  if (record !== undefined) return [codes[record] ?? 0];
  const rounds = [0, 1].map((nth) => judged[Math.min(nth, judged.length - 1)]);
  return rounds.includes("STUCK") ? [] : [OUTCOME_CODES.UNDETERMINED];
}

/** Whether a certificate of that outcome moves anything: a job has no end for a missing verdict. */
export function moves({ kind }: SimulatedDeal, code: number): boolean {
  return kind === "agreement" || code !== OUTCOME_CODES.UNDETERMINED;
}

/** Whether the money still waits. */
export function isOpen(evm: SimEvm, { kind, agreementId }: SimulatedDeal): boolean {
  return kind === "job" ? evm.jobStatus(agreementId) < 3 : evm.statusOf(agreementId) < 4;
}

/** Whether a verdict settled it. */
export function isSettled(evm: SimEvm, agreementId: Hex): boolean {
  return evm.settlements.some((settlement) => settlement.agreementId === agreementId);
}
