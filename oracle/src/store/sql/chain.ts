import type { Hex, Terms } from "@assay/protocol";
import type { BlockRef } from "../../core/index.ts";
import { StaleVersionError } from "../errors.ts";
import type { AgreementRow, BlockRow, Cursor, DatedLog, JobRef, LogRow } from "../rows.ts";
import { integer, optionalText, text } from "./columns.ts";
import { all, get, run, type Row, type Script } from "./script.ts";

/** The only EVM chain of a store; the column exists because one database may serve several later. */
const CHAIN = "evm";

export function* readAgreement(agreementId: Hex): Script<AgreementRow | null> {
  const row = yield* get("SELECT * FROM agreements WHERE agreement_id = ?", [agreementId]);
  return row === undefined ? null : toAgreement(row);
}

export function* insertAgreement(agreement: AgreementRow, at: number): Script<void> {
  yield* run(
    `INSERT INTO agreements (agreement_id, terms, job, ignored_reason, first_seen_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    [
      agreement.agreementId,
      encodeTerms(agreement.terms),
      encodeJob(agreement.job),
      agreement.ignoredReason,
      at,
    ],
  );
}

export function* readCursor(): Script<Cursor | null> {
  const row = yield* get("SELECT * FROM cursors WHERE chain = ?", [CHAIN]);
  if (row === undefined) return null;
  return {
    number: integer(row, "number"),
    hash: text(row, "hash") as Hex,
    final: {
      number: integer(row, "final_number"),
      hash: text(row, "final_hash") as Hex,
      timestamp: integer(row, "final_timestamp"),
    },
  };
}

/** @throws StaleVersionError when the cursor is elsewhere: another worker has read on. */
export function* expectCursor(expected: BlockRef | null): Script<void> {
  const found = yield* readCursor();
  if (found?.hash !== expected?.hash || found?.number !== expected?.number)
    throw new StaleVersionError("the chain was read on by another worker");
}

/** Moves the cursor. Blocks that became final and hold no log are of no more use than their number. */
export function* setCursor(cursor: Cursor): Script<void> {
  const previous = yield* readCursor();
  yield* run(
    `INSERT INTO cursors (chain, number, hash, final_number, final_hash, final_timestamp) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (chain) DO UPDATE SET number = excluded.number, hash = excluded.hash,
       final_number = excluded.final_number, final_hash = excluded.final_hash, final_timestamp = excluded.final_timestamp`,
    [CHAIN, cursor.number, cursor.hash, cursor.final.number, cursor.final.hash, cursor.final.timestamp],
  );
  yield* run(
    `DELETE FROM blocks WHERE chain = ? AND number >= ? AND number < ? AND NOT EXISTS
       (SELECT 1 FROM logs WHERE logs.chain = blocks.chain AND logs.block_number = blocks.number)`,
    [CHAIN, previous?.final.number ?? 0, cursor.final.number],
  );
}

export function* readBlock(number: number): Script<BlockRow | null> {
  const row = yield* get("SELECT * FROM blocks WHERE chain = ? AND number = ?", [CHAIN, number]);
  return row === undefined
    ? null
    : {
        number: integer(row, "number"),
        hash: text(row, "hash") as Hex,
        parent: text(row, "parent") as Hex,
        timestamp: integer(row, "timestamp"),
      };
}

export function* insertBlock(block: BlockRow, at: number): Script<void> {
  yield* run(
    `INSERT INTO blocks (chain, number, hash, parent, timestamp, seen_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (chain, number) DO UPDATE SET hash = excluded.hash, parent = excluded.parent,
       timestamp = excluded.timestamp, seen_at = excluded.seen_at`,
    [CHAIN, block.number, block.hash, block.parent, block.timestamp, at],
  );
}

/** Removes the blocks above this number, and their logs. */
export function* rewind(number: number): Script<void> {
  yield* run("DELETE FROM logs WHERE chain = ? AND block_number > ?", [CHAIN, number]);
  yield* run("DELETE FROM blocks WHERE chain = ? AND number > ?", [CHAIN, number]);
}

export function* forgetCursor(): Script<void> {
  yield* run("DELETE FROM cursors WHERE chain = ?", [CHAIN]);
}

export function* insertLog(log: LogRow): Script<void> {
  yield* run(
    `INSERT INTO logs (chain, block_hash, log_index, block_number, transaction_hash, agreement_id, name, data)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [
      CHAIN,
      log.blockHash,
      log.logIndex,
      log.blockNumber,
      log.transactionHash,
      log.agreementId,
      log.name,
      JSON.stringify(log.data),
    ],
  );
}

export function* readLogsOf(agreementId: Hex): Script<readonly DatedLog[]> {
  const rows = yield* all(
    `SELECT logs.*, blocks.timestamp, blocks.seen_at FROM logs
     JOIN blocks ON blocks.chain = logs.chain AND blocks.number = logs.block_number AND blocks.hash = logs.block_hash
     WHERE agreement_id = ? ORDER BY block_number, log_index`,
    [agreementId],
  );
  return rows.map(toDatedLog);
}

export function* readLogsBetween(from: number, to: number): Script<readonly LogRow[]> {
  const rows = yield* all(
    "SELECT * FROM logs WHERE chain = ? AND block_number BETWEEN ? AND ? ORDER BY block_number, log_index",
    [CHAIN, from, to],
  );
  return rows.map(toLog);
}

export function toAgreement(row: Row): AgreementRow {
  return {
    agreementId: text(row, "agreement_id") as Hex,
    terms: decodeTerms(text(row, "terms")),
    job: decodeJob(optionalText(row, "job")),
    ignoredReason: optionalText(row, "ignored_reason"),
  };
}

export function toDatedLog(row: Row): DatedLog {
  return { ...toLog(row), timestamp: integer(row, "timestamp"), seenAt: integer(row, "seen_at") };
}

function toLog(row: Row): LogRow {
  return {
    blockNumber: integer(row, "block_number"),
    blockHash: text(row, "block_hash") as Hex,
    logIndex: integer(row, "log_index"),
    transactionHash: text(row, "transaction_hash") as Hex,
    agreementId: text(row, "agreement_id") as Hex,
    name: text(row, "name"),
    data: JSON.parse(text(row, "data")) as Record<string, string>,
  };
}

/** Amounts are text: the databases' integers end at 64 bits. */
function encodeTerms(terms: Terms): string {
  return JSON.stringify({ ...terms, reward: terms.reward.toString(), salt: terms.salt.toString() });
}

function encodeJob(job: JobRef | null): string | null {
  return job === null ? null : JSON.stringify({ commerce: job.commerce, jobId: job.jobId.toString() });
}

function decodeJob(json: string | null): JobRef | null {
  if (json === null) return null;
  const { commerce, jobId } = JSON.parse(json) as { commerce: JobRef["commerce"]; jobId: string };
  return { commerce, jobId: BigInt(jobId) };
}

function decodeTerms(json: string): Terms {
  const stored = JSON.parse(json) as Omit<Terms, "reward" | "salt"> & { reward: string; salt: string };
  return { ...stored, reward: BigInt(stored.reward), salt: BigInt(stored.salt) };
}
