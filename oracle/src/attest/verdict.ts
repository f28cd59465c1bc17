import {
  ZERO_HASH,
  canonicalize,
  parseVerdictRecord,
  verdictHash,
  type Hex,
  type VerdictRecord,
} from "@assay/protocol";
import type { VerdictRef } from "../core/index.ts";
import { recentOf } from "../run/recent.ts";
import type { Store, VerdictRow } from "../store/index.ts";

/** Records kept at hand by their hash: a certificate is signed in the same write as the record that it is about. */
const records = recentOf<VerdictRecord>(1_024);

/** What a state holds of a verdict record. */
export function verdictRef(record: VerdictRecord): VerdictRef {
  return {
    outcome: record.outcome,
    verdictHash: verdictHash(record),
    judgeTx: record.transactions.at(-1) ?? ZERO_HASH,
  };
}

/**
 * A verdict record in the two forms that the service keeps: the whole text, and what the state refers to it by.
 *
 * @param services for whom the record is kept at hand.
 */
export function verdictRow(
  services: object,
  record: VerdictRecord,
): {
  readonly row: VerdictRow;
  readonly verdict: VerdictRef;
} {
  const verdict = verdictRef(record);
  records(services).keep(verdict.verdictHash, record);
  return {
    row: {
      key: { agreementId: record.agreementId, submissionHash: record.submissionHash },
      verdictHash: verdict.verdictHash,
      record: canonicalize(record),
    },
    verdict,
  };
}

/** The record of that hash, if this operator came to it; null when it holds none. */
export async function verdictRecord(
  services: { readonly store: Pick<Store, "verdict"> },
  hash: Hex,
): Promise<VerdictRecord | null> {
  const known = records(services).get(hash);
  if (known !== null) return known;
  const stored = await services.store.verdict(hash);
  return stored === null ? null : parseVerdictRecord(stored.record);
}
