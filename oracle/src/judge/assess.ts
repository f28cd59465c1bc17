import type { AdjudicationRecord, ResponsibilityRecord } from "@assay/protocol";
import {
  AGREEING,
  adjudicationOf,
  roundConditions,
  verdictConditions,
  type Condition,
  type UnmetCondition,
  type VerdictFacts,
} from "./conditions.ts";
import { stageOf, type JudgeTransaction } from "./transaction.ts";
import { responsibilityOf } from "./workflows.ts";

/** What a judge transaction amounts to. */
export type Assessment =
  /** Undecided, or decided and still appealable without a verdict. */
  | { readonly kind: "pending" }
  /** ACCEPTED: shown, never acted on. */
  | { readonly kind: "accepted" }
  /** Every condition holds. */
  | { readonly kind: "verdict"; readonly record: AdjudicationRecord | ResponsibilityRecord }
  /** FINALIZED without agreement or with an error, and no record: one round is used. */
  | { readonly kind: "inconclusive" }
  /** FINALIZED without a record of its own although one exists: another transaction made it. */
  | { readonly kind: "superseded" }
  /** Ended, and does not count as a round. */
  | { readonly kind: "void"; readonly reason: string }
  /** Contradicts the agreement in a way that time won't change. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Something is unknown or not yet readable: look again, act on nothing. */
  | { readonly kind: "hold"; readonly reason: string };

/** Conditions whose violation no later read can heal. */
const FATAL: readonly Condition[] = ["recordSubject", "recordOutcome"];

/** Decides from facts alone. Only a transaction that is FINALIZED and meets every condition is a verdict. */
export function assess(facts: VerdictFacts): Assessment {
  const { transaction, subject } = facts;
  const stage = stageOf(transaction);
  if (stage === "pending") return { kind: "pending" };
  if (stage === "accepted") return { kind: "accepted" };
  if (stage === "cancelled") return { kind: "void", reason: "the judge transaction was cancelled" };

  const round = roundConditions(subject, transaction);
  if (round.length > 0) {
    const { sender, recipient, calldata, leaderOnly, initialValidators, participants } = transaction;
    const unknown = [sender, recipient, calldata, leaderOnly, initialValidators, participants].includes(null);
    return unknown ? { kind: "hold", reason: listed(round) } : { kind: "void", reason: listed(round) };
  }
  if (transaction.result === null || transaction.execution === null)
    return { kind: "hold", reason: "the network does not tell the consensus or execution result" };

  const [record, again] = facts.records;
  const unmet = verdictConditions(facts);
  if (unmet.length === 0 && record !== null) {
    const decided = subject.joint === undefined ? adjudicationOf(record) : responsibilityOf(record);
    if (decided !== null) return { kind: "verdict", record: decided };
  }
  const violated = (condition: Condition) => unmet.some((entry) => entry.condition === condition);
  if (facts.codeHash !== null && violated("codeHash")) return { kind: "refused", reason: listed(unmet) };
  if (violated("result") || violated("execution")) {
    if (record === null || again === null) return { kind: "hold", reason: "the record can't be read" };
    if (violated("recordStable")) return { kind: "hold", reason: listed(unmet) };
    if (subject.joint !== undefined && isAgreedError(transaction))
      return { kind: "void", reason: "the validators agreed that the assessment fails: it was no round" };
    return record.version === 0 ? { kind: "inconclusive" } : { kind: "superseded" };
  }
  if (FATAL.some(violated) && !violated("recordStable")) return { kind: "refused", reason: listed(unmet) };
  return { kind: "hold", reason: listed(unmet) };
}

/**
 * Whether all validators met the leader's error. `assess` names a workflow and not its outputs, so it can be sent before
 * they are there, and is refused then by every node alike: were that a round, one relayer could use all of them up.
 */
export function isAgreedError({ result, execution }: JudgeTransaction): boolean {
  return result !== null && AGREEING.includes(result) && execution === "FINISHED_WITH_ERROR";
}

function listed(unmet: readonly UnmetCondition[]): string {
  return unmet.map((entry) => entry.message).join("; ");
}
