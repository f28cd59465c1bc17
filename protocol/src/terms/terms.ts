import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";

/** What buyer and seller agree on, as in the contract's struct `Terms`; its EIP-712 digest is the agreement's id. */
export interface Terms {
  /** Who pays and who is refunded. */
  readonly buyer: Address;
  /** Who delivers and is paid. */
  readonly seller: Address;
  /** Token base units. */
  readonly reward: bigint;
  /** SHA-256 of the agreement document's canonical bytes. */
  readonly agreementHash: Hex;
  /** The only address that may release, refund or conclude. */
  readonly adjudicator: Address;
  /** What the adjudicator must honour; for the quorum see `adjudicatorConfigOf`. */
  readonly adjudicatorConfig: Hex;
  /** Last second (Unix time) in which a submission is taken. */
  readonly deliverBy: number;
  /** Last second (Unix time) in which a verdict is taken. */
  readonly adjudicateBy: number;
  /** The seller's share, in basis points, when no verdict comes or it is UNDETERMINED. */
  readonly noVerdictSellerBps: number;
  /** Chosen by the buyer; makes two otherwise equal agreements distinct. */
  readonly salt: bigint;
}
