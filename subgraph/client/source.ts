import type {
  Address,
  AgreementFact,
  Categories,
  Hex,
  Reputation,
  TrustedAdjudication,
} from "@assay/protocol";
import type {
  AgreementRecord,
  AgreementSummary,
  AnswerBlock,
  HashOwner,
  PairHistory,
  Refusal,
  SourceName,
  Totals,
} from "./answers.ts";

/** How to count a reputation; see `reputationOf`. */
export interface ReputationOptions {
  /** Only agreements under one of these count. */
  readonly adjudications?: readonly TrustedAdjudication[];
  /** To count each category by itself. */
  readonly categories?: Categories;
}

/** What a source says, at one block. */
export interface Reading<Value> {
  readonly value: Value;
  readonly block: AnswerBlock;
}

/**
 * Somebody who can answer. Each question rejects with a {@link SourceError} rather than answer in part, from a block
 * that is too old, or what was not asked.
 */
export interface Source {
  readonly name: SourceName;
  /** Null when there is none. */
  agreement(agreementId: Hex): Promise<Reading<AgreementRecord | null>>;
  /** As buyer and as seller, in the order of their ids. */
  agreementsOf(party: Address): Promise<Reading<readonly AgreementSummary[]>>;
  /** Newest first. */
  latest(limit: number): Promise<Reading<readonly AgreementSummary[]>>;
  /** In the order of their ids. */
  facts(party: Address): Promise<Reading<readonly AgreementFact[]>>;
  /** Agreements with a document of that hash, in the order of their ids. */
  ownersOf(hash: Hex): Promise<Reading<readonly HashOwner[]>>;
  reputation(party: Address, options: ReputationOptions): Promise<Reading<Reputation>>;
  pairHistory(buyer: Address, seller: Address): Promise<Reading<PairHistory>>;
  totals(): Promise<Reading<Totals>>;
}

/** Why a source does not answer. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.refusal = refusal;
  }
}

/** How old an answer's block may be. */
export interface Freshness {
  /** Most blocks behind the chain's head, 50 by default. Not looked at without a chain. */
  readonly maxBehindBlocks?: number;
  /** Most seconds behind the chain's head, or behind this machine's clock without a chain; 120 by default. */
  readonly maxBehindSeconds?: number;
}

/**
 * Refuses a block that is too old.
 *
 * @param head the chain's newest block, null when no chain can be asked.
 * @throws SourceError `behind`
 */
export function requireFresh(
  block: AnswerBlock,
  head: AnswerBlock | null,
  { maxBehindBlocks = 50, maxBehindSeconds = 120 }: Freshness,
): void {
  const blocks = head === null ? 0 : head.number - block.number;
  const seconds = (head?.timestamp ?? Math.floor(Date.now() / 1000)) - block.timestamp;
  // A chain that stands still is not behind itself.
  if (head !== null && blocks <= 0) return;
  if (blocks <= maxBehindBlocks && seconds <= maxBehindSeconds) return;
  const behind = head === null ? `${seconds} s` : `${blocks} blocks (${seconds} s)`;
  throw new SourceError("behind", `It stands at block ${block.number}, ${behind} behind`);
}
