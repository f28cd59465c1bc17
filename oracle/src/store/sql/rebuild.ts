import type { Hex } from "@assay/protocol";
import { PARKED_STATES, TERMINAL_STATES, type SubmissionState } from "../../core/index.ts";
import { RebuildRangeError } from "../errors.ts";
import { READ_FROM_KEY, type Rebuilt } from "../rows.ts";
import { forgetCursor, rewind } from "./chain.ts";
import { integer, text } from "./columns.ts";
import { writeMeta } from "./meta.ts";
import { all, get, run, type Script } from "./script.ts";

/** Submissions looked at in one go. */
const PAGE = 1_000;

/**
 * Forgets what the chain can tell again from a block on. Signatures, attestations, verdict records, documents, signed
 * bytes with their nonces, history, and conflicts are no such thing, and stay.
 *
 * @throws RebuildRangeError when a submission before that block would be forgotten, or be kept in a state that rests on
 *   what is read again.
 */
export function* rebuildScript(fromBlock: number): Script<Rebuilt> {
  yield* expectNothingBefore(fromBlock);
  const submissions = yield* forgetSubmissions(fromBlock);
  yield* run(
    `DELETE FROM agreements WHERE agreement_id IN
       (SELECT agreement_id FROM logs WHERE name IN ('Funded', 'JobSubmitted') AND block_number >= ?)`,
    [fromBlock],
  );
  const logs = integer(
    yield* get("SELECT count(*) AS n FROM logs WHERE block_number >= ?", [fromBlock]),
    "n",
  );
  yield* rewind(fromBlock - 1);
  yield* forgetCursor();
  yield* writeMeta(READ_FROM_KEY, String(fromBlock));
  return { fromBlock, submissions, logs };
}

function* expectNothingBefore(fromBlock: number): Script<void> {
  let first: { readonly block: number; readonly agreementId: Hex } | null = null;
  for (let after = 0; ;) {
    const rows = yield* all(
      `SELECT rowid, data FROM submissions WHERE rowid > ? AND state <> 'CONFLICT' AND (${notFinished} OR EXISTS
         (SELECT 1 FROM logs WHERE logs.agreement_id = submissions.agreement_id AND logs.block_number >= ?))
       ORDER BY rowid LIMIT ?`,
      [after, fromBlock, PAGE],
    );
    for (const row of rows) {
      const { block, agreementId } = JSON.parse(text(row, "data")) as SubmissionState;
      if (block.number < (first?.block ?? fromBlock)) first = { block: block.number, agreementId };
    }
    if (rows.length < PAGE) break;
    after = integer(rows.at(-1), "rowid");
  }
  if (first !== null) throw new RebuildRangeError(fromBlock, first.block, first.agreementId);
}

/** Terminal states are kept when they rest on blocks before the first that is read again. */
const notFinished = `state NOT IN (${TERMINAL_STATES.map((name) => `'${name}'`).join(", ")})`;

function* forgetSubmissions(fromBlock: number): Script<number> {
  let count = 0;
  for (let after = 0; ;) {
    const rows = yield* all(
      "SELECT rowid, data FROM submissions WHERE rowid > ? AND state <> 'CONFLICT' ORDER BY rowid LIMIT ?",
      [after, PAGE],
    );
    for (const row of rows) {
      const state = JSON.parse(text(row, "data")) as SubmissionState;
      if (state.block.number < fromBlock) continue;
      yield* forgetSubmission(state);
      count++;
    }
    if (rows.length < PAGE) return count;
    after = integer(rows.at(-1), "rowid");
  }
}

function* forgetSubmission(state: SubmissionState): Script<void> {
  const key = [state.agreementId, state.submissionHash];
  yield* run("DELETE FROM submissions WHERE agreement_id = ? AND submission_hash = ?", key);
  // A delivery in a block that leaves the chain has to be followed again.
  if (!TERMINAL_STATES.includes(state.name) && !PARKED_STATES.includes(state.name))
    yield* run(
      `UPDATE outbox SET status = 'open'
       WHERE agreement_id = ? AND submission_hash = ? AND purpose = 'settle' AND status = 'included'`,
      key,
    );
}
