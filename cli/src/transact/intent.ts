import type { Address, Hex } from "@assay/protocol";

/** One call of a contract that somebody wants to be made. */
export interface Intent {
  /** What is done, as one word for files and JSON, such as `fund`. */
  readonly action: string;
  /** What it is done to: an agreement's id, or an account. With `action` it names the transaction for resuming. */
  readonly subject: Hex;
  /** The same in a sentence without a full stop, such as `Cancel agreement 0x…`. */
  readonly title: string;
  /** What becomes of money; null when none moves, and nobody has to be asked. */
  readonly money: string | null;
  readonly to: Address;
  /** `0x` while it is not known yet. */
  readonly data: Hex;
  /** The only account that may send it; null when anyone may. */
  readonly sender: Address | null;
  /** Says that it is done already, if it is: then nothing is sent, and that is no fault. */
  done?(): Promise<string | null>;
}

/** A transaction that a block holds. */
export interface Included {
  readonly action: string;
  readonly subject: Hex;
  readonly transactionHash: Hex;
  readonly blockNumber: number;
  readonly gasUsed: bigint;
  /** Whether it was sent by an earlier run whose receipt nobody had seen. */
  readonly resumed: boolean;
}
