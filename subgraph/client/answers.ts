import type { Address, Hex, Terms } from "@assay/protocol";
import type { AgreementStatus, Outcome } from "./types.ts";

/** Who can answer, in the order in which they are asked. */
export const SOURCES = ["graph", "operator", "chain"] as const;
export type SourceName = (typeof SOURCES)[number];

/** Why a source was passed over. */
export type Refusal =
  /** No such source was given. */
  | "not_configured"
  /** It stands at a block that is too old. */
  | "behind"
  /** It stands on a block that the chain does not have. */
  | "off_chain"
  /** A handler of the index failed, so it has stopped. */
  | "indexing_errors"
  /** It gives no answer, or one that can't be used. */
  | "failed"
  /** It answers other questions, but not this one. */
  | "cannot_tell";

/** `graph` when the index answered; else why it did not. */
export type SourceReason = "graph" | `graph_${Refusal}`;

/** A block as an answer names it. */
export interface AnswerBlock {
  readonly number: number;
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** A source that did not answer. */
export interface PassedOver {
  readonly source: SourceName;
  readonly refusal: Refusal;
  readonly message: string;
}

/** An answer, who gave it, and the block that it speaks for. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: SourceName;
  readonly sourceReason: SourceReason;
  readonly block: AnswerBlock;
  /** Those that were asked before, and why they did not answer. */
  readonly passedOver: readonly PassedOver[];
}

/** An agreement in one line. */
export interface AgreementSummary {
  readonly agreementId: Hex;
  readonly buyer: Address;
  readonly seller: Address;
  /** Base units. */
  readonly reward: bigint;
  readonly status: AgreementStatus;
  /** Unix seconds. */
  readonly fundedAt: number;
}

/** An agreement: its terms, and how far it has come. Times are Unix seconds. */
export interface AgreementRecord extends AgreementSummary {
  readonly terms: Terms;
  readonly acceptedAt: number | null;
  readonly submittedAt: number | null;
  readonly endedAt: number | null;
  readonly submissionHash: Hex | null;
  /** Null unless the adjudicator ruled, and where the source does not know what it found. */
  readonly outcome: Outcome | null;
}

/** What a hash is to an agreement. */
export type HashRole = "agreement" | "submission" | "verdict";

/** An agreement that a hash belongs to. */
export interface HashOwner {
  readonly agreementId: Hex;
  /** Which of its documents has the hash. */
  readonly role: HashRole;
}

/** What one buyer and one seller did with each other. Amounts are base units, times Unix seconds. */
export interface PairHistory {
  readonly funded: number;
  readonly ended: number;
  /** Those that ended with PASS. */
  readonly passed: number;
  readonly fundedVolume: bigint;
  /** The seller's shares of ended agreements. */
  readonly sellerVolume: bigint;
  /** Null while they have none. */
  readonly firstFundedAt: number | null;
  readonly lastChangedAt: number | null;
}

/** The escrow's books. `lockedReward + openCredits = fundedTotal - paidOutTotal`. Amounts are base units. */
export interface Totals {
  readonly fundedTotal: bigint;
  readonly paidOutTotal: bigint;
  readonly lockedReward: bigint;
  readonly openCredits: bigint;
  readonly agreementCount: number;
  readonly liveCount: number;
  readonly releasedCount: number;
  readonly refundedCount: number;
  readonly splitCount: number;
}
