import type { Hex } from "@assay/protocol";
import {
  PARKED_STATES,
  TERMINAL_STATES,
  deadlineOf,
  type StateName,
  type SubmissionState,
} from "../../core/index.ts";
import { StaleVersionError } from "../errors.ts";
import {
  LONGEST_PAUSE_MILLISECONDS,
  type SubmissionChange,
  type SubmissionKey,
  type SubmissionRow,
  type TransitionRow,
} from "../rows.ts";
import { integer, optionalInteger, optionalText, text } from "./columns.ts";
import { all, get, run, type Row, type Script } from "./script.ts";

export function* readSubmission(key: SubmissionKey): Script<SubmissionRow | null> {
  const row = yield* get("SELECT * FROM submissions WHERE agreement_id = ? AND submission_hash = ?", [
    key.agreementId,
    key.submissionHash,
  ]);
  return row === undefined ? null : toSubmission(row);
}

export function* readSubmissionsOf(agreementId: Hex): Script<readonly SubmissionRow[]> {
  const rows = yield* all("SELECT * FROM submissions WHERE agreement_id = ? ORDER BY rowid", [agreementId]);
  return rows.map(toSubmission);
}

/** Writes what a submission becomes, and its lines of history. Returns what is written. @throws StaleVersionError */
export function* changeSubmission(change: SubmissionChange, at: number): Script<SubmissionRow> {
  const { after, before } = change;
  const { agreementId, submissionHash } = after;
  const columns = [after.name, JSON.stringify(after), change.nextAt, deadlineOf(after), anchorOf(after)];
  if (before === null) {
    const added = yield* run(
      `INSERT INTO submissions (state, data, next_at, deadline_at, anchor_block, agreement_id, submission_hash,
         version, attempts, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, 1, 0, ?, ?) ON CONFLICT DO NOTHING`,
      [...columns, agreementId, submissionHash, at, at],
    );
    if (added === 0) throw new StaleVersionError("the submission exists already");
  } else {
    const changed = yield* run(
      `UPDATE submissions SET state = ?, data = ?, next_at = ?, deadline_at = ?, anchor_block = ?,
         version = version + 1, attempts = 0, last_error = NULL, updated_at = ?
       WHERE agreement_id = ? AND submission_hash = ? AND version = ?`,
      [...columns, at, agreementId, submissionHash, before.version],
    );
    if (changed === 0) throw new StaleVersionError("the submission changed meanwhile");
  }
  let from = before?.state.name ?? null;
  for (const step of [...(change.earlier ?? []), change]) {
    yield* run(
      `INSERT INTO transitions (agreement_id, submission_hash, from_state, to_state, event, reason, at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [agreementId, submissionHash, from, step.after.name, step.events.join(" "), step.after.reason, at],
    );
    from = step.after.name;
  }
  // Nobody watches the intents of a submission that is closed or parked: their nonces are free again.
  if (TERMINAL_STATES.includes(after.name) || PARKED_STATES.includes(after.name))
    yield* run(
      "UPDATE outbox SET status = 'closed' WHERE agreement_id = ? AND submission_hash = ? AND status = 'open'",
      [agreementId, submissionHash],
    );
  return {
    state: after,
    version: (before?.version ?? 0) + 1,
    attempts: 0,
    nextAt: change.nextAt,
    lastError: null,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  };
}

/**
 * What is due, as conditions with their one value: the fresh before what fails, and both before what is due so late that
 * the clock must have been set back since. Each is a range of an index; put together, they would be none.
 */
export function dueRanges(now: number): readonly (readonly [condition: string, moment: number])[] {
  const misdated = now + LONGEST_PAUSE_MILLISECONDS;
  return [
    ["attempts = 0 AND next_at <= ?", now],
    ["attempts > 0 AND next_at <= ?", now],
    ["attempts = 0 AND next_at > ?", misdated],
    ["attempts > 0 AND next_at > ?", misdated],
  ];
}

/** Returns how many it postponed: none when the submission changed meanwhile. */
export function* postponeSubmission(
  row: SubmissionRow,
  nextAt: number,
  error: string | null,
): Script<number> {
  return yield* run(
    `UPDATE submissions SET next_at = ?, last_error = ?, attempts = attempts + ?
     WHERE agreement_id = ? AND submission_hash = ? AND version = ?`,
    [nextAt, error, error === null ? 0 : 1, row.state.agreementId, row.state.submissionHash, row.version],
  );
}

export function* wakeFinal(
  block: { readonly number: number; readonly timestamp: number },
  now: number,
): Script<number> {
  const anchored = yield* run(
    "UPDATE submissions SET next_at = ? WHERE anchor_block IS NOT NULL AND anchor_block <= ? AND next_at > ?",
    [now, block.number, now],
  );
  const late = yield* run(
    `UPDATE submissions SET next_at = ?
     WHERE deadline_at IS NOT NULL AND deadline_at < ? AND coalesce(next_at, ?) > ?`,
    [now, block.timestamp, Number.MAX_SAFE_INTEGER, now],
  );
  return anchored + late;
}

export function* wakeDocument(hash: Hex, now: number): Script<number> {
  const bySubmission = yield* run(
    "UPDATE submissions SET next_at = ? WHERE submission_hash = ? AND state = 'ANCHORED'",
    [now, hash],
  );
  const byAgreement = yield* run(
    `UPDATE submissions SET next_at = ? WHERE state = 'ANCHORED' AND submission_hash <> ? AND agreement_id IN
       (SELECT agreement_id FROM agreements WHERE agreement_hash = ?)`,
    [now, hash, hash],
  );
  return bySubmission + byAgreement;
}

export function* countByState(): Script<ReadonlyMap<StateName, number>> {
  const rows = yield* all("SELECT state, count(*) AS n FROM submissions GROUP BY state");
  return new Map(rows.map((row) => [text(row, "state") as StateName, integer(row, "n")]));
}

export function* oldestByState(): Script<ReadonlyMap<StateName, number>> {
  const rows = yield* all("SELECT state, min(updated_at) AS oldest FROM submissions GROUP BY state");
  return new Map(rows.map((row) => [text(row, "state") as StateName, integer(row, "oldest")]));
}

export function* readTransitions(key: SubmissionKey): Script<readonly TransitionRow[]> {
  const rows = yield* all(
    "SELECT * FROM transitions WHERE agreement_id = ? AND submission_hash = ? ORDER BY sequence",
    [key.agreementId, key.submissionHash],
  );
  return rows.map((row) => ({
    from: optionalText(row, "from_state") as StateName | null,
    to: text(row, "to_state") as StateName,
    event: text(row, "event"),
    reason: optionalText(row, "reason"),
    at: integer(row, "at"),
  }));
}

export function toSubmission(row: Row): SubmissionRow {
  return {
    // Rows that were written before there were joint agreements have no such member.
    state: { carryTx: null, ...(JSON.parse(text(row, "data")) as Omit<SubmissionState, "carryTx">) },
    version: integer(row, "version"),
    attempts: integer(row, "attempts"),
    nextAt: optionalInteger(row, "next_at"),
    lastError: optionalText(row, "last_error"),
    createdAt: integer(row, "created_at"),
    updatedAt: integer(row, "updated_at"),
  };
}

/** The block whose finality the state waits for. */
function anchorOf(state: SubmissionState): number | null {
  if (state.name === "OBSERVED") return state.block.number;
  if (state.name === "SETTLED_SEEN") return state.seen?.block.number ?? null;
  return null;
}
