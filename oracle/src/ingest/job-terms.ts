import { WINDOWS } from "@assay/protocol";
import type { LogRow } from "../store/index.ts";

/** Longest time, in seconds, from a submission to a job's expiry: what the escrow allows an agreement at most. */
const LONGEST = BigInt(WINDOWS.delivery.max + WINDOWS.adjudication.max);

/**
 * The last second in which a verdict about a job counts: the one before anybody may claim its refund.
 *
 * @param created the job's `JobCreated`.
 * @param submittedAt chain time of its submission.
 * @returns null when there is no such time, or it is too far away to be waited for.
 */
export function jobDeadline(created: LogRow, submittedAt: number): number | null {
  const adjudicateBy = BigInt(created.data["expiredAt"] ?? "0") - 1n;
  const left = adjudicateBy - BigInt(submittedAt);
  return left < 0n || left > LONGEST ? null : Number(adjudicateBy);
}
