import {
  DocumentError,
  documentHash,
  parseAdjudication,
  utf8Encode,
  type AdjudicationRecord,
  responsibilityFaults,
  type Agreement,
  type Hex,
  type JointPlan,
  type Outputs,
  type Role,
} from "@assay/protocol";
import type { EscrowState } from "../rpc/index.ts";
import type { StoredRecord } from "./stored-record.ts";
import { responsibilityOf } from "./workflows.ts";
import type { JudgeTransaction } from "./transaction.ts";

/** What was agreed and submitted, by content. */
export interface Subject {
  readonly agreement: Agreement;
  readonly agreementHash: Hex;
  readonly agreementId: Hex;
  readonly submissionHash: Hex;
  readonly chainId: number;
  readonly escrow: Hex;
  readonly adjudicationKey: Hex;
  /** The calldata that a transaction must carry to be about exactly these documents. */
  readonly calldata: Hex;
  /** Of a joint agreement, which a workflow decides: the workflow and what both agents submitted to be judged. */
  readonly joint?: JointSubject;
}

/** One side of a joint agreement, with both submissions. */
export interface JointSubject {
  readonly plan: JointPlan;
  readonly role: Role;
  readonly outputs: Outputs;
  readonly partnerSubmissionHash: Hex;
}

/** The key of the records about a subject in its contract. */
export function recordKeyOf({ joint, adjudicationKey }: Subject): Hex {
  return joint?.plan.place.workflowKey ?? adjudicationKey;
}

/** Everything that a verdict is judged by. Null for what could not be read. */
export interface VerdictFacts {
  readonly subject: Subject;
  readonly transaction: JudgeTransaction;
  /** Two independent reads at finalized state. */
  readonly records: readonly [StoredRecord | null, StoredRecord | null];
  /** SHA-256 of the deployed code. */
  readonly codeHash: Hex | null;
  /** The escrow, read at a finalized block. */
  readonly escrow: EscrowState | null;
}

export const CONDITIONS = [
  "status",
  "result",
  "execution",
  "sender",
  "recipient",
  "leaderOnly",
  "validators",
  "calldata",
  "recordPresent",
  "recordStable",
  "recordSubject",
  "recordOutcome",
  "codeHash",
  "escrow",
] as const;

/** One of the conditions of a verdict. */
export type Condition = (typeof CONDITIONS)[number];

export interface UnmetCondition {
  readonly condition: Condition;
  /** What was found, in one sentence. */
  readonly message: string;
}

/** Consensus results that mean: the validators agree with the leader. */
export const AGREEING = ["AGREE", "MAJORITY_AGREE"];

/**
 * The conditions under which a judge transaction counts as a verdict, each that does not hold with what was found.
 * A verdict exists only when the list is empty: whatever is missing, unknown or contradictory is unmet.
 */
export function verdictConditions(facts: VerdictFacts): readonly UnmetCondition[] {
  const { subject, transaction } = facts;
  const [record, again] = facts.records;
  const unmet: UnmetCondition[] = [];
  const demand = (condition: Condition, holds: boolean, message: string) => {
    if (!holds) unmet.push({ condition, message });
  };

  demand("status", transaction.status === "FINALIZED", `the transaction is ${shown(transaction.status)}`);
  demand(
    "result",
    AGREEING.includes(shown(transaction.result)),
    `the validators' result is ${shown(transaction.result)}`,
  );
  demand(
    "execution",
    transaction.execution === "FINISHED_WITH_RETURN",
    `the execution result is ${shown(transaction.execution)}`,
  );
  unmet.push(...roundConditions(subject, transaction));

  demand("recordPresent", isPresent(record), "the judge holds no record for this relayer and key");
  demand("recordStable", sameRecord(record, again), "two reads of the record differ");
  if (isPresent(record)) {
    const problem = recordProblem(record, subject, transaction);
    demand("recordSubject", problem !== "subject", "the record is about something else than this submission");
    demand(
      "recordOutcome",
      problem !== "outcome",
      "the record's outcome does not follow from its requirements",
    );
  }
  demand(
    "codeHash",
    facts.codeHash === subject.agreement.adjudication.codeHash,
    `the judge's code has hash ${shown(facts.codeHash)}, the agreement pins ${subject.agreement.adjudication.codeHash}`,
  );
  demand(
    "escrow",
    holdsSubmission(facts.escrow, subject.submissionHash),
    "the escrow does not hold this submission",
  );
  return unmet;
}

/**
 * What any transaction must be to count at all, as a verdict or as a round without one: sent by a relayer of the
 * agreement to its contract with exactly these documents, to enough validators.
 */
export function roundConditions(subject: Subject, transaction: JudgeTransaction): readonly UnmetCondition[] {
  const { relayers, contract, minValidators } = subject.agreement.adjudication;
  const unmet: UnmetCondition[] = [];
  const demand = (condition: Condition, holds: boolean, message: string) => {
    if (!holds) unmet.push({ condition, message });
  };
  const { sender, recipient, initialValidators, participants } = transaction;
  demand(
    "sender",
    sender !== null && relayers.includes(sender),
    `${shown(sender)} is no relayer of the agreement`,
  );
  demand("recipient", recipient === contract, `the transaction went to ${shown(recipient)}`);
  demand("leaderOnly", transaction.leaderOnly === false, "the transaction ran on its leader alone");
  demand(
    "validators",
    initialValidators !== null &&
      initialValidators >= minValidators &&
      participants !== null &&
      participants >= minValidators,
    `${shown(initialValidators)} validators were asked for and ${shown(participants)} took part, ` +
      `the agreement demands ${minValidators}`,
  );
  demand("calldata", transaction.calldata === subject.calldata, "the transaction carries other documents");
  return unmet;
}

/** Whether the escrow, as read, waits for a verdict on this submission. */
export function holdsSubmission(escrow: EscrowState | null, submissionHash: Hex): boolean {
  return escrow?.status === "Submitted" && escrow.submissionHashPrefix === submissionHash.slice(0, 64);
}

/** The adjudication record inside a stored one, or null when it is no valid record. */
export function adjudicationOf(record: StoredRecord): AdjudicationRecord | null {
  try {
    return parseAdjudication(record.record);
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

/** A workflow's record says no more than a verdict's name; everything else in it follows from the agreement. */
function attributionProblem(
  stored: StoredRecord,
  { plan, outputs }: JointSubject,
  transaction: JudgeTransaction,
): "subject" | "outcome" | null {
  const record = responsibilityOf(stored);
  if (record === null) return "outcome";
  const bound =
    stored.version === 1 &&
    stored.key === plan.place.workflowKey &&
    record.assessor === transaction.sender &&
    responsibilityFaults(record, plan, outputs).length === 0;
  return bound ? null : "subject";
}

function recordProblem(
  stored: StoredRecord,
  subject: Subject,
  transaction: JudgeTransaction,
): "subject" | "outcome" | null {
  if (subject.joint !== undefined) return attributionProblem(stored, subject.joint, transaction);
  const record = adjudicationOf(stored);
  // A record whose results contradict its outcome, or that is malformed, does not parse.
  if (record === null) return "outcome";
  const bound =
    stored.version === 1 &&
    stored.key === subject.adjudicationKey &&
    stored.sequence === record.sequence &&
    stored.adjudicationHash === documentHash(utf8Encode(stored.record)) &&
    sameAddress(stored.sender, record.relayer) &&
    record.adjudicationKey === subject.adjudicationKey &&
    record.agreementHash === subject.agreementHash &&
    record.agreementId === subject.agreementId &&
    record.submissionHash === subject.submissionHash &&
    record.chainId === subject.chainId &&
    record.escrow === subject.escrow &&
    record.relayer === transaction.sender;
  if (!bound) return "subject";
  const { requirements } = subject.agreement;
  const judged =
    record.requirements.length === requirements.length &&
    requirements.every((requirement, index) => {
      const result = record.requirements[index];
      return (
        result?.id === requirement.id &&
        result.check === requirement.check?.type &&
        (result.decidedBy === "check") === (requirement.check !== undefined)
      );
    });
  return judged ? null : "outcome";
}

function isPresent(record: StoredRecord | null): record is StoredRecord {
  return record !== null && record.version !== 0;
}

function sameRecord(one: StoredRecord | null, other: StoredRecord | null): boolean {
  return (
    one?.version === other?.version &&
    one?.sequence === other?.sequence &&
    one?.sender === other?.sender &&
    one?.key === other?.key &&
    one?.record === other?.record &&
    one?.adjudicationHash === other?.adjudicationHash
  );
}

function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function shown(value: string | number | null): string {
  return value === null ? "unknown" : String(value);
}
