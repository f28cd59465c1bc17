import type { SubmissionKey } from "../rows.ts";
import type { Leases } from "../sql/database.ts";
import { text } from "../sql/columns.ts";
import { all, type Row, type Script } from "../sql/script.ts";
import { LONGEST_PAUSE_MILLISECONDS, toSubmission } from "../sql/submissions.ts";

/** Milliseconds; the answer to how often, when there is nothing to do. */
const NOTHING_TO_RENEW = 3_600_000;

/** Leases of the only process that can have any: they end with it, so memory is the place for them. */
export function memoryLeases(read: <T>(script: () => Script<T>) => Promise<T>): Leases {
  const held = new Set<string>();
  return {
    async claim(now, limit) {
      // Leased rows may be due as well, so that many more are looked at.
      const due = await read(() => dueScript(now, limit + held.size));
      const free = due.filter((row) => !held.has(nameIn(row))).slice(0, limit);
      for (const row of free) held.add(nameIn(row));
      return free.map(toSubmission);
    },
    renew: () => Promise.resolve(NOTHING_TO_RENEW),
    release(keys) {
      for (const key of keys) held.delete(nameOf(key));
      return Promise.resolve();
    },
  };
}

/** Due, or due so late that the clock must have been set back since. */
const DUE = "(next_at <= ? OR next_at > ?)";

function* dueScript(now: number, limit: number): Script<readonly Row[]> {
  const fresh = yield* all(
    `SELECT * FROM submissions WHERE attempts = 0 AND ${DUE} ORDER BY next_at LIMIT ?`,
    [now, now + LONGEST_PAUSE_MILLISECONDS, limit],
  );
  const failing =
    fresh.length === limit
      ? []
      : yield* all(`SELECT * FROM submissions WHERE attempts > 0 AND ${DUE} ORDER BY next_at LIMIT ?`, [
          now,
          now + LONGEST_PAUSE_MILLISECONDS,
          limit - fresh.length,
        ]);
  return [...fresh, ...failing];
}

function nameIn(row: Row): string {
  return `${text(row, "agreement_id")} ${text(row, "submission_hash")}`;
}

function nameOf(key: SubmissionKey): string {
  return `${key.agreementId} ${key.submissionHash}`;
}
