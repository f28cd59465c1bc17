import { erc8183EvaluatorAbi } from "../abi/erc8183-evaluator.ts";
import { interfaceOf } from "../primitives/interface-of.ts";
import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";
import { OUTCOME_CODES } from "../verdict/outcome.ts";
import type { Verdict } from "../verdict/verdict.ts";

/** A verdict about a job with everything that the evaluator needs to act on it. */
export interface JobCertificate {
  readonly jobId: bigint;
  /** `escrow` is the ERC-8183 contract, `agreementId` the job's key. */
  readonly verdict: Verdict;
  /** Ascending. */
  readonly members: readonly Address[];
  readonly threshold: number;
  /** One for each member, `0x` where it did not sign. */
  readonly signatures: readonly Hex[];
}

/**
 * Calldata that delivers a certificate to its evaluator, which completes or rejects the job.
 *
 * @returns null for UNDETERMINED: ERC-8183 knows no split, so the job's own expiry refunds its client.
 */
export function jobDeliveryCalldata(certificate: JobCertificate): Hex | null {
  const { verdict, jobId, members, threshold, signatures } = certificate;
  if (verdict.outcome === OUTCOME_CODES.UNDETERMINED) return null;
  return interfaceOf(erc8183EvaluatorAbi).encodeFunctionData("deliver", [
    verdict,
    jobId,
    { members, threshold },
    signatures,
  ]) as Hex;
}
