import type { Hex } from "@assay/protocol";
import type { BlockRef, SettlementRef, VerdictRef } from "./state.ts";

/** Everything that can move a submission. Facts only: each was read from a chain, a peer or the journal. */
export type Event =
  /** The submission's log stands in this block (again, after a reorganisation). */
  | {
      readonly type: "SubmissionSeen";
      readonly block: BlockRef;
      readonly submittedAt: number;
      readonly documentsBy: number;
    }
  /** The block that holds the submission's log left the chain. */
  | { readonly type: "SubmissionOrphaned"; readonly blockHash: Hex }
  /** The log's block is final and the escrow, read there, agrees with the log. */
  | { readonly type: "Anchored" }
  /** Both documents are here and say what the chain says; `at` is chain time. */
  | { readonly type: "DocumentsReady"; readonly rounds: number; readonly at: number }
  /** Nothing that the service can do by itself leads on: the agreement can't be judged here, or work keeps failing. */
  | { readonly type: "Quarantined"; readonly reason: string }
  /** The document window ended without the submission's document, or the judge was given something else. */
  | { readonly type: "Withheld"; readonly verdict: VerdictRef }
  /** The send that carries an agent's output into its workflow is signed and journalled. */
  | { readonly type: "CarrySigned"; readonly transactionHash: Hex }
  /** The workflow holds the output, final. */
  | { readonly type: "CarryEnded" }
  /** A GenLayer send is signed and journalled. */
  | { readonly type: "RelaySigned"; readonly transactionHash: Hex }
  /** The journalled send was handed to a node. */
  | { readonly type: "RelayBroadcast" }
  /** The send will never become a judge transaction: it reverted, or its nonce went to another transaction. */
  | { readonly type: "RelayFailed"; readonly reason: string }
  /** A judge transaction for this submission is known: our send's, or a fellow relayer's. */
  | { readonly type: "JudgeTransactionFound"; readonly judgeTx: Hex }
  /** The judge transaction is not decided (or an appeal reopened it). */
  | { readonly type: "JudgePending" }
  /** The judge transaction is ACCEPTED: shown, never acted on. */
  | { readonly type: "JudgeAccepted" }
  /** Every condition of a verdict holds. */
  | { readonly type: "JudgeVerdict"; readonly verdict: VerdictRef }
  /** The judge transaction is FINALIZED and left no record. */
  | { readonly type: "JudgeInconclusive"; readonly judgeTx: Hex }
  /** The judge transaction ended without counting as a round (cancelled, or not a valid round). */
  | { readonly type: "JudgeVoid"; readonly reason: string }
  /** The agreement allows another round. */
  | { readonly type: "RoundsLeft" }
  /** Every agreed round was used without a record. */
  | { readonly type: "RoundsUsed"; readonly verdict: VerdictRef }
  /** Our signature is in the sign-once table. */
  | { readonly type: "Attested"; readonly digest: Hex }
  /** Enough members signed our digest; `at` is chain time. */
  | { readonly type: "QuorumReached"; readonly at: number }
  /** A member signed another digest for this submission, or we once did. */
  | { readonly type: "Disagreement"; readonly reason: string }
  /** The settlement is signed and journalled. */
  | { readonly type: "SettlementSigned"; readonly transactionHash: Hex }
  | { readonly type: "SettlementBroadcast" }
  /** Our settlement succeeded in this block. */
  | { readonly type: "SettlementIncluded"; readonly block: BlockRef }
  /** The block that included our settlement left the chain. */
  | { readonly type: "SettlementReorged" }
  /** Our settlement reverted, or its nonce went to another transaction, and the escrow still waits. */
  | { readonly type: "SettlementFailed"; readonly reason: string }
  /** The escrow reports a settlement by verdict, by anyone. */
  | { readonly type: "SettlementSeen"; readonly settlement: SettlementRef }
  /** The block that reports the settlement left the chain. */
  | { readonly type: "SettlementOrphaned"; readonly blockHash: Hex }
  /** The block that reports the settlement is final. */
  | { readonly type: "SettlementFinal" }
  /** Final: the parties or the clock closed the agreement. */
  | { readonly type: "Closed"; readonly reason: string }
  /** A final block is later than `adjudicateBy`, and the escrow still holds the submission. */
  | { readonly type: "WindowClosed" }
  /** An operator's command after a look at a parked submission. */
  | { readonly type: "Requeued" };

export type EventType = Event["type"];
