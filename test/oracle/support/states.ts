import type { Hex } from "@assay/protocol";
import { observe, type SubmissionState } from "../../../oracle/src/core/index.ts";

/** A 32-byte hash that repeats one byte. */
export function hash(byte: number): Hex {
  return `0x${byte.toString(16).padStart(2, "0").repeat(32)}`;
}

export const AGREEMENT = hash(0xa1);
export const SUBMISSION = hash(0x51);
export const BLOCK = { number: 10, hash: hash(0xb0) };

export const PASS = { outcome: "PASS", verdictHash: hash(0x71), judgeTx: hash(0x91) } as const;

/** A submission as it looks when its log was just seen, with some members changed. */
export function state(changes: Partial<SubmissionState> = {}): SubmissionState {
  const seen = observe({
    agreementId: AGREEMENT,
    submissionHash: SUBMISSION,
    block: BLOCK,
    submittedAt: 1_000,
    documentsBy: 2_000,
    adjudicateBy: 5_000,
  }).state;
  return { ...seen, ...changes };
}
