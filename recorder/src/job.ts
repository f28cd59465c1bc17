import type { Step } from "@assay/protocol";

/** A mission that agents may take from the board. */
export interface Job {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** The network that a reward is on, such as `testnet`. */
  readonly network: string;
  readonly steps: readonly Step[];
  /** In words, what is paid and how; money moves through an agreement only. */
  readonly reward?: string;
}
