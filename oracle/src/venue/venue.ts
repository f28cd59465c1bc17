import type { Address, Hex, Verdict } from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import type { EscrowState } from "../rpc/index.ts";

/** A verdict with what a delivery needs beside it. */
export interface SignedVerdict {
  readonly verdict: Verdict;
  /** Ascending. */
  readonly members: readonly Address[];
  readonly threshold: number;
  /** One for each member, `0x` where it did not sign. */
  readonly signatures: readonly Hex[];
}

/** Where the money of one agreement is, and how a certificate moves it there. All else is the same everywhere. */
export interface Venue {
  /** The contract that holds the money; a certificate's `escrow`. */
  readonly contract: Address;
  /** The contract that takes certificates: they are signed in its domain. */
  readonly verifier: Address;
  /** Most gas that a delivery may take; null where only our own code runs. */
  readonly mostGas: bigint | null;
  /**
   * What the contract says about an agreement and a submission of it, at a block, in the escrow's words. Whatever
   * differs from what was agreed to reads as `None`.
   *
   * @throws the errors of `EvmChain`
   */
  state(
    submission: Pick<SubmissionState, "submissionHash" | "block">,
    at: number | "latest",
  ): Promise<EscrowState>;
  /** Calldata for `verifier`; null when this outcome moves nothing there. */
  delivery(certificate: SignedVerdict): Hex | null;
}
