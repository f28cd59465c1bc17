import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";

/** The ways in which an agreement can end, told apart as far as reputation needs. */
export const ENDINGS = [
  /** PASS. */
  "passed",
  /** FAIL; also the refund of an adjudicator that delivers no certificate. */
  "failed",
  /** The judge's validators could not agree. */
  "undetermined",
  /** The submission's document could not be had from anywhere. */
  "withheld",
  /** Accepted, and never submitted: expired. */
  "noShows",
  /** Neither accepted nor submitted: expired. */
  "lapsed",
  /** Submitted, and no verdict came in time: expired. */
  "unjudged",
  /** The buyer took the reward back before the seller consented. */
  "cancelled",
  /** The buyer gave the whole reward to the seller. */
  "concededByBuyer",
  /** The seller gave the whole reward back after having consented. */
  "concededBySeller",
  /** The seller gave the whole reward back without ever having consented. */
  "declined",
  /** Both sides signed a split. */
  "settled",
] as const;

/** How an agreement ended, by the name of what counts it. */
export type Ending = (typeof ENDINGS)[number];

/** The end of an agreement. */
export interface AgreementEnd {
  /** Unix time of the block. */
  readonly at: number;
  readonly as: Ending;
  /** The seller's share of the reward, in base units; the rest is the buyer's. */
  readonly sellerAmount: bigint;
}

/** What reputation needs to know of one agreement. Times are Unix seconds, of the blocks in which things happened. */
export interface AgreementFact {
  readonly agreementId: Hex;
  readonly buyer: Address;
  readonly seller: Address;
  /** Base units. */
  readonly reward: bigint;
  /** SHA-256 of the agreement document, which may declare a category. */
  readonly agreementHash: Hex;
  /** The only address that could rule. */
  readonly adjudicator: Address;
  /** What the adjudicator had to honour; for the quorum the hash of its members and threshold. */
  readonly adjudicatorConfig: Hex;
  /** Last second in which a submission was taken. */
  readonly deliverBy: number;
  readonly fundedAt: number;
  /** When the seller consented, by accepting or by submitting. */
  readonly acceptedAt: number | null;
  readonly submittedAt: number | null;
  /** Null while the reward is in escrow. */
  readonly end: AgreementEnd | null;
}
