import type { SubmissionKey, SubmissionRow } from "../rows.ts";
import type { Leases } from "../sql/database.ts";
import { all, type Script } from "../sql/script.ts";
import { toSubmission } from "../sql/submissions.ts";

/** Milliseconds; the answer to how often, when there is nothing to do. */
const NOTHING_TO_RENEW = 3_600_000;

/** Leases of the only process that can have any: they end with it, so memory is the place for them. */
export function memoryLeases(read: <T>(script: () => Script<T>) => Promise<T>): Leases {
  const held = new Set<string>();
  return {
    async claim(now, limit) {
      // Leased rows may be due as well, so that many more are looked at.
      const due = await read(() => dueScript(now, limit + held.size));
      const free = due.filter((row) => !held.has(nameOf(row.state))).slice(0, limit);
      for (const row of free) held.add(nameOf(row.state));
      return free;
    },
    renew: () => Promise.resolve(NOTHING_TO_RENEW),
    release(keys) {
      for (const key of keys) held.delete(nameOf(key));
      return Promise.resolve();
    },
  };
}

function* dueScript(now: number, limit: number): Script<readonly SubmissionRow[]> {
  const fresh = yield* all(
    "SELECT * FROM submissions WHERE attempts = 0 AND next_at <= ? ORDER BY next_at LIMIT ?",
    [now, limit],
  );
  const failing =
    fresh.length === limit
      ? []
      : yield* all("SELECT * FROM submissions WHERE attempts > 0 AND next_at <= ? ORDER BY next_at LIMIT ?", [
          now,
          limit - fresh.length,
        ]);
  return [...fresh, ...failing].map(toSubmission);
}

function nameOf(key: SubmissionKey): string {
  return `${key.agreementId} ${key.submissionHash}`;
}
