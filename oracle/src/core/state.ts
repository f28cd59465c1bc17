import type { Hex, Outcome } from "@assay/protocol";

/** Every state of a submission, in the order of an undisturbed life; see README.md for what each one means. */
export const STATE_NAMES = [
  "OBSERVED",
  "ANCHORED",
  "RELAY_READY",
  "RELAY_SENT",
  "JUDGING",
  "PROVISIONAL",
  "INCONCLUSIVE",
  "VERDICT_FINAL",
  "ATTESTED",
  "QUORUM",
  "SETTLE_READY",
  "SETTLE_SENT",
  "SETTLE_INCLUDED",
  "SETTLED_SEEN",
  "SETTLED",
  "ORPHANED",
  "EXPIRED",
  "QUARANTINED",
  "CONFLICT",
] as const;

export type StateName = (typeof STATE_NAMES)[number];

/** Nothing more will be done. An orphaned submission can still be seen again in another block. */
export const TERMINAL_STATES: readonly StateName[] = ["SETTLED", "ORPHANED", "EXPIRED"];

/** Waits for a person. */
export const PARKED_STATES: readonly StateName[] = ["QUARANTINED", "CONFLICT"];

/** Whether the service still owes this state work. */
export function isOpen(name: StateName): boolean {
  return !TERMINAL_STATES.includes(name) && !PARKED_STATES.includes(name);
}

/** A block of the EVM chain, by content. */
export interface BlockRef {
  readonly number: number;
  readonly hash: Hex;
}

/** What this operator holds to be the outcome. */
export interface VerdictRef {
  readonly outcome: Outcome;
  readonly verdictHash: Hex;
  /** The GenLayer transaction that decided; zero for WITHHELD. */
  readonly judgeTx: Hex;
}

/** A settlement by verdict that the escrow reports, ours or anybody's. */
export interface SettlementRef {
  readonly verdictHash: Hex;
  readonly transactionHash: Hex;
  readonly block: BlockRef;
}

/** Where one submission stands. Immutable; only `transition` makes the next one. */
export interface SubmissionState {
  readonly name: StateName;
  readonly agreementId: Hex;
  readonly submissionHash: Hex;
  /** The block that holds the submission's log. */
  readonly block: BlockRef;
  /** Chain time, in Unix seconds, of that block. */
  readonly submittedAt: number;
  /** Chain time until which documents may arrive. */
  readonly documentsBy: number;
  /** Chain time until which the escrow takes a verdict. */
  readonly adjudicateBy: number;
  /** Chain time from which operators count whose turn it is to relay or to deliver. */
  readonly turnFrom: number;
  /** Adjudication transactions that the agreement allows; 0 until its document has been read. */
  readonly rounds: number;
  /** GenLayer transactions that were finalized without a record, in the order in which they were found so. */
  readonly inconclusive: readonly Hex[];
  /** Sends that led to no judge transaction since the last one that did. */
  readonly relayFailures: number;
  /** The journalled send (EVM hash) that carries the submission's output into its workflow; null when none is in flight. */
  readonly carryTx: Hex | null;
  /** The journalled GenLayer send (EVM hash) in flight. */
  readonly relayTx: Hex | null;
  /** The GenLayer transaction being followed. */
  readonly judgeTx: Hex | null;
  readonly verdict: VerdictRef | null;
  /** EIP-712 digest that this operator signed. */
  readonly digest: Hex | null;
  /** The journalled settlement (EVM hash) in flight. */
  readonly settleTx: Hex | null;
  readonly settleFailures: number;
  /** Block that includes our settlement. */
  readonly includedIn: BlockRef | null;
  /** The settlement that the escrow reports. */
  readonly seen: SettlementRef | null;
  /** State to fall back to when the block that reports the settlement is orphaned. */
  readonly resume: StateName | null;
  /** Why it is parked or closed, in one sentence. */
  readonly reason: string | null;
}

/** Sends without a judge transaction, and settlements that failed, before a person has to look. */
export const MAX_FAILURES = 3;
