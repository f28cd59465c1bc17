import type { Address } from "@assay/protocol";
import type { Purpose } from "../store/index.ts";

/** A key on a chain, whose nonces are given out one after another. */
export interface Lane {
  readonly chain: string;
  readonly signer: Address;
  /** What the key's transactions are for. */
  readonly purpose: Purpose;
  /** Intents of the key that may be without a receipt at the same time. */
  readonly mostOpen: number;
  /** Transactions of the key that the chain has counted. */
  nonce(): Promise<number>;
}
