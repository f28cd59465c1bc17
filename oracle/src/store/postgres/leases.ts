import type { SubmissionKey, SubmissionRow } from "../rows.ts";
import type { Database, Leases } from "../sql/database.ts";
import { all, run, type Script } from "../sql/script.ts";
import { dueRanges, toSubmission } from "../sql/submissions.ts";

/** Leases on the rows themselves, by the server's clock: what a dead worker held comes back when they end. */
export function rowLeases(
  database: Pick<Database, "write">,
  worker: string,
  leaseMilliseconds: number,
): Leases {
  const until = `clock_timestamp() + ${leaseMilliseconds} * interval '1 millisecond'`;

  function* claim(now: number, limit: number): Script<readonly SubmissionRow[]> {
    const taken: SubmissionRow[] = [];
    for (const [condition, moment] of dueRanges(now)) {
      if (taken.length === limit) break;
      taken.push(...(yield* take(condition, moment, limit - taken.length)));
    }
    return taken;
  }

  function* take(condition: string, moment: number, limit: number): Script<readonly SubmissionRow[]> {
    const rows = yield* all(
      `UPDATE submissions SET lease_owner = ?, lease_until = ${until} WHERE (agreement_id, submission_hash) IN
         (SELECT agreement_id, submission_hash FROM submissions
          WHERE ${condition} AND (lease_until IS NULL OR lease_until <= clock_timestamp())
          ORDER BY next_at LIMIT ? FOR UPDATE SKIP LOCKED)
       RETURNING *`,
      [worker, moment, limit],
    );
    return rows.map(toSubmission).sort((one, other) => (one.nextAt ?? 0) - (other.nextAt ?? 0));
  }

  function* releaseScript(keys: readonly SubmissionKey[]): Script<void> {
    for (const key of keys)
      yield* run(
        `UPDATE submissions SET lease_owner = NULL, lease_until = NULL
         WHERE agreement_id = ? AND submission_hash = ? AND lease_owner = ?`,
        [key.agreementId, key.submissionHash, worker],
      );
  }

  return {
    claim: (now, limit) => database.write(() => claim(now, limit)),
    async renew() {
      await database.write(() =>
        run(`UPDATE submissions SET lease_until = ${until} WHERE lease_owner = ?`, [worker]),
      );
      return leaseMilliseconds / 3;
    },
    releaseScript,
  };
}
