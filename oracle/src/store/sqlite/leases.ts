import type { SubmissionKey } from "../rows.ts";
import type { Leases } from "../sql/database.ts";
import { text } from "../sql/columns.ts";
import { all, type Row, type Script } from "../sql/script.ts";
import { dueRanges, toSubmission } from "../sql/submissions.ts";

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

function* dueScript(now: number, limit: number): Script<readonly Row[]> {
  const found: Row[] = [];
  for (const [condition, moment] of dueRanges(now)) {
    if (found.length === limit) break;
    const sql = `SELECT * FROM submissions WHERE ${condition} ORDER BY next_at LIMIT ?`;
    found.push(...(yield* all(sql, [moment, limit - found.length])));
  }
  return found;
}

function nameIn(row: Row): string {
  return `${text(row, "agreement_id")} ${text(row, "submission_hash")}`;
}

function nameOf(key: SubmissionKey): string {
  return `${key.agreementId} ${key.submissionHash}`;
}
