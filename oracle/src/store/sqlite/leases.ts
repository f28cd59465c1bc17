import type { SubmissionKey, SubmissionRow } from "../rows.ts";
import { integer } from "../sql/columns.ts";
import type { Leases } from "../sql/database.ts";
import { all, get, type Script } from "../sql/script.ts";
import { dueRanges, toSubmission } from "../sql/submissions.ts";

/** Milliseconds; the answer to how often, when there is nothing to do. */
const NOTHING_TO_RENEW = 3_600_000;

/** Leases of the only process that can have any: they end with it, so memory is the place for them. */
export function memoryLeases(read: <T>(script: () => Script<T>) => Promise<T>): Leases {
  /** Numbers of the leased rows, by the submissions' names. */
  const held = new Map<string, number>();

  function* claim(now: number, limit: number): Script<readonly SubmissionRow[]> {
    const rows: SubmissionRow[] = [];
    const numbers = yield* dueRows(now, limit, new Set(held.values()));
    for (const number of numbers) {
      const row = yield* get("SELECT * FROM submissions WHERE rowid = ?", [number]);
      if (row === undefined) continue;
      const submission = toSubmission(row);
      held.set(nameOf(submission.state), number);
      rows.push(submission);
    }
    return rows;
  }

  return {
    claim: (now, limit) => read(() => claim(now, limit)),
    renew: () => Promise.resolve(NOTHING_TO_RENEW),
    // eslint-disable-next-line require-yield -- the database knows nothing of these leases
    *releaseScript(keys) {
      for (const key of keys) held.delete(nameOf(key));
    },
  };
}

/**
 * Numbers of the rows that are due and free. Leased ones may be due as well, so that many more are looked at: in the
 * index alone, which is small.
 */
function* dueRows(now: number, limit: number, held: ReadonlySet<number>): Script<readonly number[]> {
  const free: number[] = [];
  for (const [condition, moment] of dueRanges(now)) {
    if (free.length === limit) break;
    const due = yield* all(
      `SELECT rowid AS number FROM submissions WHERE ${condition} ORDER BY next_at LIMIT ?`,
      [moment, limit - free.length + held.size],
    );
    const numbers = due.map((row) => integer(row, "number")).filter((number) => !held.has(number));
    free.push(...numbers.slice(0, limit - free.length));
  }
  return free;
}

function nameOf(key: SubmissionKey): string {
  return `${key.agreementId} ${key.submissionHash}`;
}
