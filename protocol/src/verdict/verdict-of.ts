import type { VerdictRecord } from "../documents/verdict-record.ts";
import { ZERO_HASH } from "../primitives/hex.ts";
import { OUTCOME_CODES } from "./outcome.ts";
import type { Verdict } from "./verdict.ts";
import { verdictHash } from "./verdict-hash.ts";

/**
 * The certificate that goes with a verdict record; equal for every operator, so that all sign one digest.
 *
 * @param adjudicateBy the terms' last second (Unix time) for a verdict.
 * @throws DocumentError when the record is not valid.
 */
export function verdictOf(record: VerdictRecord, adjudicateBy: number): Verdict {
  return {
    escrow: record.escrow,
    agreementId: record.agreementId,
    submissionHash: record.submissionHash,
    outcome: OUTCOME_CODES[record.outcome],
    verdictHash: verdictHash(record),
    judge: record.judge.contract,
    judgeTx: record.transactions.at(-1) ?? ZERO_HASH,
    notAfter: adjudicateBy,
  };
}
