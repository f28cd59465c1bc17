import { ZERO_HASH, canonicalize, verdictHash, type VerdictRecord } from "@assay/protocol";
import type { VerdictRef } from "../core/index.ts";
import type { VerdictRow } from "../store/index.ts";

/** A verdict record in the two forms that the service keeps: the whole text, and what the state refers to it by. */
export function verdictRow(record: VerdictRecord): {
  readonly row: VerdictRow;
  readonly verdict: VerdictRef;
} {
  const hash = verdictHash(record);
  return {
    row: {
      key: { agreementId: record.agreementId, submissionHash: record.submissionHash },
      verdictHash: hash,
      record: canonicalize(record),
    },
    verdict: { outcome: record.outcome, verdictHash: hash, judgeTx: record.transactions.at(-1) ?? ZERO_HASH },
  };
}
