import type { Address, Hex } from "@assay/protocol";
import type {
  AttemptRow,
  Commit,
  NewOutbox,
  OutboxRow,
  Purpose,
  SignedTransaction,
  SubmissionKey,
} from "../rows.ts";
import { integer, optionalInteger, optionalText, text } from "./columns.ts";
import { all, get, run, type Row, type Script } from "./script.ts";

export function* readOpenOutbox(key: SubmissionKey, purpose: Purpose): Script<OutboxRow | null> {
  const row = yield* get(
    `SELECT * FROM outbox WHERE agreement_id = ? AND submission_hash = ? AND purpose = ? AND status <> 'closed'
     ORDER BY attempt DESC LIMIT 1`,
    [key.agreementId, key.submissionHash, purpose],
  );
  return row === undefined ? null : ((yield* toOutboxes([row]))[0] ?? null);
}

export function* readOutboxOf(key: SubmissionKey): Script<readonly OutboxRow[]> {
  return yield* toOutboxes(
    yield* all("SELECT * FROM outbox WHERE agreement_id = ? AND submission_hash = ? ORDER BY id", [
      key.agreementId,
      key.submissionHash,
    ]),
  );
}

export function* readJudgeTransactionsOf(key: SubmissionKey): Script<readonly Hex[]> {
  const rows = yield* all(
    `SELECT judge_tx FROM outbox WHERE agreement_id = ? AND submission_hash = ? AND judge_tx IS NOT NULL
     ORDER BY id`,
    [key.agreementId, key.submissionHash],
  );
  return rows.map((row) => text(row, "judge_tx") as Hex);
}

export function* readOpenNonces(chain: string, signer: Address): Script<readonly number[]> {
  const rows = yield* all(
    "SELECT nonce FROM outbox WHERE chain = ? AND signer = ? AND status = 'open' ORDER BY nonce",
    [chain, signer],
  );
  return rows.map((row) => integer(row, "nonce"));
}

export function* readHighestNonce(chain: string, signer: Address): Script<number | null> {
  const row = yield* get(
    "SELECT nonce FROM outbox WHERE chain = ? AND signer = ? AND status <> 'closed' ORDER BY nonce DESC LIMIT 1",
    [chain, signer],
  );
  return row === undefined ? null : integer(row, "nonce");
}

/** @throws the database's own error when another intent holds the nonce. */
export function* insertOutbox(outbox: NewOutbox, at: number): Script<Pick<OutboxRow, "id" | "attempt">> {
  const { agreementId, submissionHash } = outbox.key;
  const previous = yield* get(
    `SELECT coalesce(max(attempt), 0) AS n FROM outbox
     WHERE agreement_id = ? AND submission_hash = ? AND purpose = ?`,
    [agreementId, submissionHash, outbox.purpose],
  );
  const attempt = integer(previous, "n") + 1;
  const row = yield* get(
    `INSERT INTO outbox (agreement_id, submission_hash, purpose, attempt, chain, signer, nonce, status, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?) RETURNING id`,
    [
      agreementId,
      submissionHash,
      outbox.purpose,
      attempt,
      outbox.chain,
      outbox.signer,
      outbox.transaction.nonce,
      at,
    ],
  );
  const id = integer(row, "id");
  yield* insertAttempt(id, outbox.transaction, at);
  return { id, attempt };
}

export function* insertAttempt(outboxId: number, transaction: SignedTransaction, at: number): Script<void> {
  yield* run(
    "INSERT INTO attempts (transaction_hash, outbox_id, raw, fee, signed_at) VALUES (?, ?, ?, ?, ?)",
    [transaction.transactionHash, outboxId, transaction.raw, transaction.fee.toString(), at],
  );
}

export function* setOutboxStatus(change: NonNullable<Commit["outboxStatus"]>[number]): Script<void> {
  yield* run("UPDATE outbox SET status = ?, judge_tx = coalesce(?, judge_tx) WHERE id = ?", [
    change.status,
    change.judgeTx ?? null,
    change.outboxId,
  ]);
}

export function* markSent(sent: NonNullable<Commit["sent"]>[number], at: number): Script<void> {
  yield* run("UPDATE attempts SET sent_at = ?, sent_at_block = ? WHERE transaction_hash = ?", [
    at,
    sent.block,
    sent.transactionHash,
  ]);
}

/** Rows with their attempts, which are read together. */
function* toOutboxes(rows: readonly Row[]): Script<readonly OutboxRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => integer(row, "id"));
  const attempts = yield* all(
    `SELECT * FROM attempts WHERE outbox_id IN (${ids.map(() => "?").join(", ")}) ORDER BY rowid`,
    ids,
  );
  return rows.map((row) => toOutbox(row, attempts));
}

function toOutbox(row: Row, attempts: readonly Row[]): OutboxRow {
  const id = integer(row, "id");
  return {
    id,
    key: {
      agreementId: text(row, "agreement_id") as Hex,
      submissionHash: text(row, "submission_hash") as Hex,
    },
    purpose: text(row, "purpose") as Purpose,
    attempt: integer(row, "attempt"),
    chain: text(row, "chain"),
    signer: text(row, "signer") as Address,
    nonce: integer(row, "nonce"),
    status: text(row, "status") as OutboxRow["status"],
    judgeTx: optionalText(row, "judge_tx") as Hex | null,
    attempts: attempts.filter((attempt) => integer(attempt, "outbox_id") === id).map(toAttempt),
  };
}

function toAttempt(row: Row): AttemptRow {
  return {
    transactionHash: text(row, "transaction_hash") as Hex,
    raw: text(row, "raw") as Hex,
    fee: BigInt(text(row, "fee")),
    signedAt: integer(row, "signed_at"),
    sentAt: optionalInteger(row, "sent_at"),
    sentAtBlock: optionalInteger(row, "sent_at_block"),
  };
}
