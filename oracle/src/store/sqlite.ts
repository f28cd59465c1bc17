import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { Address, Hex, Terms } from "@assay/protocol";
import {
  PARKED_STATES,
  TERMINAL_STATES,
  deadlineOf,
  type StateName,
  type SubmissionState,
} from "../core/index.ts";
import {
  NonceTakenError,
  SignedOtherwiseError,
  StaleVersionError,
  StoreError,
  StoreLockedError,
} from "./errors.ts";
import { migrate } from "./migrate.ts";
import type {
  AgreementRow,
  AttemptRow,
  AttestationRow,
  BlockRow,
  Commit,
  Cursor,
  DocumentKind,
  LogRow,
  NewOutbox,
  OutboxRow,
  Page,
  Purpose,
  SignedTransaction,
  SignedVerdict,
  Store,
  SubmissionChange,
  SubmissionKey,
  SubmissionRow,
  TransitionRow,
  VerdictRow,
} from "./store.ts";

/** Milliseconds to wait for a predecessor that is shutting down to let go of the file. */
const LOCK_WAIT_MILLISECONDS = 2_000;

/** The only EVM chain of a store; the column exists because one database may serve several later. */
const CHAIN = "evm";

type Row = Record<string, unknown>;

/**
 * Opens (and creates, and migrates) the one-file store of an operator.
 *
 * @param file path of the database, or ":memory:".
 * @throws StoreLockedError when another process uses the file, StoreVersionError when a newer service wrote it,
 *   StoreError for anything else that SQLite refuses.
 */
export function openSqliteStore(file: string): Store {
  let database: DatabaseSync | undefined;
  try {
    if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    database = new DatabaseSync(file, { timeout: LOCK_WAIT_MILLISECONDS });
    // Taken before the first access, so that the lock is never shared and needs no shared-memory file.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    database.exec("BEGIN EXCLUSIVE; COMMIT");
    migrate(database);
    return new SqliteStore(database);
  } catch (error) {
    database?.close();
    if (error instanceof StoreError) throw error;
    if (isLocked(error)) throw new StoreLockedError(file, { cause: error });
    throw new StoreError(`the database ${file} can't be opened: ${messageOf(error)}`, { cause: error });
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /database is locked|SQLITE_BUSY/.test(error.message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  commit(commit: Commit): Promise<void> {
    return this.#write(() => {
      for (const agreement of commit.agreements ?? []) this.#insertAgreement(agreement, commit.at);
      if (commit.rewindTo !== undefined) this.#rewind(commit.rewindTo);
      for (const block of commit.blocks ?? []) this.#insertBlock(block, commit.at);
      for (const log of commit.logs ?? []) this.#insertLog(log);
      if (commit.cursor !== undefined) this.#setCursor(commit.cursor);
      for (const outbox of commit.outbox ?? []) this.#insertOutbox(outbox, commit.at);
      for (const bump of commit.bumps ?? []) this.#insertAttempt(bump.outboxId, bump.transaction, commit.at);
      for (const change of commit.outboxStatus ?? [])
        this.#run("UPDATE outbox SET status = ?, judge_tx = coalesce(?, judge_tx) WHERE id = ?", [
          change.status,
          change.judgeTx ?? null,
          change.outboxId,
        ]);
      for (const sent of commit.sent ?? [])
        this.#run("UPDATE attempts SET sent_at = ?, sent_at_block = ? WHERE transaction_hash = ?", [
          commit.at,
          sent.block,
          sent.transactionHash,
        ]);
      for (const signed of commit.signed ?? []) this.#insertSigned(signed, commit.at);
      for (const verdict of commit.verdicts ?? []) this.#insertVerdict(verdict);
      for (const attestation of commit.attestations ?? []) this.#insertAttestation(attestation, commit.at);
      for (const change of commit.submissions ?? []) this.#changeSubmission(change, commit.at);
    });
  }

  submission(key: SubmissionKey): Promise<SubmissionRow | null> {
    return this.#read(() => {
      const row = this.#get("SELECT * FROM submissions WHERE agreement_id = ? AND submission_hash = ?", [
        key.agreementId,
        key.submissionHash,
      ]);
      return row === undefined ? null : toSubmission(row);
    });
  }

  submissionsOf(agreementId: Hex): Promise<readonly SubmissionRow[]> {
    return this.#read(() =>
      this.#all("SELECT * FROM submissions WHERE agreement_id = ? ORDER BY created_at, rowid", [
        agreementId,
      ]).map(toSubmission),
    );
  }

  due(now: number, limit: number): Promise<readonly SubmissionRow[]> {
    return this.#read(() =>
      this.#all(
        "SELECT * FROM submissions WHERE next_at IS NOT NULL AND next_at <= ? ORDER BY attempts > 0, next_at LIMIT ?",
        [now, limit],
      ).map(toSubmission),
    );
  }

  postpone(row: SubmissionRow, nextAt: number, error: string | null): Promise<void> {
    return this.#write(() => {
      this.#run(
        `UPDATE submissions SET next_at = ?, last_error = ?, attempts = attempts + ?
         WHERE agreement_id = ? AND submission_hash = ? AND version = ?`,
        [nextAt, error, error === null ? 0 : 1, row.state.agreementId, row.state.submissionHash, row.version],
      );
    });
  }

  wakeFinal(block: { readonly number: number; readonly timestamp: number }, now: number): Promise<number> {
    return this.#write(
      () =>
        this.#run(
          "UPDATE submissions SET next_at = ? WHERE anchor_block IS NOT NULL AND anchor_block <= ? AND next_at > ?",
          [now, block.number, now],
        ) +
        this.#run(
          "UPDATE submissions SET next_at = ? WHERE deadline_at IS NOT NULL AND deadline_at < ? AND coalesce(next_at, ?) > ?",
          [now, block.timestamp, Number.MAX_SAFE_INTEGER, now],
        ),
    );
  }

  wakeDocument(hash: Hex, now: number): Promise<number> {
    return this.#write(() =>
      this.#run(
        `UPDATE submissions SET next_at = ? WHERE state = 'ANCHORED' AND (submission_hash = ? OR agreement_id IN
           (SELECT agreement_id FROM agreements WHERE json_extract(terms, '$.agreementHash') = ?))`,
        [now, hash, hash],
      ),
    );
  }

  countByState(): Promise<ReadonlyMap<StateName, number>> {
    return this.#read(
      () =>
        new Map(
          this.#all("SELECT state, count(*) AS n FROM submissions GROUP BY state", []).map((row) => [
            text(row, "state") as StateName,
            integer(row, "n"),
          ]),
        ),
    );
  }

  transitions(key: SubmissionKey): Promise<readonly TransitionRow[]> {
    return this.#read(() =>
      this.#all(
        "SELECT * FROM transitions WHERE agreement_id = ? AND submission_hash = ? ORDER BY sequence",
        [key.agreementId, key.submissionHash],
      ).map((row) => ({
        from: optionalText(row, "from_state") as StateName | null,
        to: text(row, "to_state") as StateName,
        event: text(row, "event"),
        reason: optionalText(row, "reason"),
        at: integer(row, "at"),
      })),
    );
  }

  agreement(agreementId: Hex): Promise<AgreementRow | null> {
    return this.#read(() => {
      const row = this.#get("SELECT * FROM agreements WHERE agreement_id = ?", [agreementId]);
      return row === undefined ? null : toAgreement(row);
    });
  }

  agreements(page: { readonly limit: number; readonly cursor: string | null }): Promise<Page<AgreementRow>> {
    return this.#read(() => {
      const before = page.cursor === null ? Number.MAX_SAFE_INTEGER : Number(page.cursor);
      const rows = this.#all("SELECT rowid, * FROM agreements WHERE rowid < ? ORDER BY rowid DESC LIMIT ?", [
        before,
        page.limit + 1,
      ]);
      const items = rows.slice(0, page.limit);
      const last = items.at(-1);
      return {
        items: items.map(toAgreement),
        cursor: rows.length > page.limit && last !== undefined ? String(integer(last, "rowid")) : null,
      };
    });
  }

  cursor(): Promise<Cursor | null> {
    return this.#read(() => {
      const row = this.#get("SELECT * FROM cursors WHERE chain = ?", [CHAIN]);
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
    });
  }

  block(number: number): Promise<BlockRow | null> {
    return this.#read(() => {
      const row = this.#get("SELECT * FROM blocks WHERE chain = ? AND number = ?", [CHAIN, number]);
      return row === undefined
        ? null
        : {
            number: integer(row, "number"),
            hash: text(row, "hash") as Hex,
            parent: text(row, "parent") as Hex,
            timestamp: integer(row, "timestamp"),
          };
    });
  }

  logsOf(
    agreementId: Hex,
  ): Promise<readonly (LogRow & { readonly timestamp: number; readonly seenAt: number })[]> {
    return this.#read(() =>
      this.#all(
        `SELECT logs.*, blocks.timestamp, blocks.seen_at FROM logs
         JOIN blocks ON blocks.chain = logs.chain AND blocks.number = logs.block_number AND blocks.hash = logs.block_hash
         WHERE agreement_id = ? ORDER BY block_number, log_index`,
        [agreementId],
      ).map((row) => ({
        ...toLog(row),
        timestamp: integer(row, "timestamp"),
        seenAt: integer(row, "seen_at"),
      })),
    );
  }

  logsBetween(from: number, to: number): Promise<readonly LogRow[]> {
    return this.#read(() =>
      this.#all(
        "SELECT * FROM logs WHERE chain = ? AND block_number BETWEEN ? AND ? ORDER BY block_number, log_index",
        [CHAIN, from, to],
      ).map(toLog),
    );
  }

  openOutbox(key: SubmissionKey, purpose: Purpose): Promise<OutboxRow | null> {
    return this.#read(() => {
      const row = this.#get(
        `SELECT * FROM outbox WHERE agreement_id = ? AND submission_hash = ? AND purpose = ? AND status <> 'closed'
         ORDER BY attempt DESC LIMIT 1`,
        [key.agreementId, key.submissionHash, purpose],
      );
      return row === undefined ? null : this.#toOutbox(row);
    });
  }

  outboxOf(key: SubmissionKey): Promise<readonly OutboxRow[]> {
    return this.#read(() =>
      this.#all("SELECT * FROM outbox WHERE agreement_id = ? AND submission_hash = ? ORDER BY id", [
        key.agreementId,
        key.submissionHash,
      ]).map((row) => this.#toOutbox(row)),
    );
  }

  openOutboxOf(chain: string, signer: Address): Promise<readonly OutboxRow[]> {
    return this.#read(() =>
      this.#all("SELECT * FROM outbox WHERE chain = ? AND signer = ? AND status = 'open' ORDER BY nonce", [
        chain,
        signer,
      ]).map((row) => this.#toOutbox(row)),
    );
  }

  highestNonce(chain: string, signer: Address): Promise<number | null> {
    return this.#read(() => {
      const row = this.#get(
        "SELECT max(nonce) AS n FROM outbox WHERE chain = ? AND signer = ? AND status <> 'closed'",
        [chain, signer],
      );
      return row?.["n"] == null ? null : integer(row, "n");
    });
  }

  signed(escrow: Address, key: SubmissionKey): Promise<SignedVerdict | null> {
    return this.#read(() => {
      const row = this.#signedRow(escrow, key);
      return row === undefined
        ? null
        : {
            escrow: text(row, "escrow") as Address,
            key,
            digest: text(row, "digest") as Hex,
            operator: text(row, "operator") as Address,
            verdict: text(row, "verdict"),
            record: text(row, "record"),
            signature: text(row, "signature") as Hex,
          };
    });
  }

  attestations(key: SubmissionKey): Promise<readonly AttestationRow[]> {
    return this.#read(() =>
      this.#all(
        "SELECT * FROM attestations WHERE agreement_id = ? AND submission_hash = ? ORDER BY operator",
        [key.agreementId, key.submissionHash],
      ).map((row) => ({
        digest: text(row, "digest") as Hex,
        operator: text(row, "operator") as Address,
        key,
        signature: text(row, "signature") as Hex,
      })),
    );
  }

  verdict(verdictHash: Hex): Promise<VerdictRow | null> {
    return this.#read(() => {
      const row = this.#get("SELECT * FROM verdicts WHERE verdict_hash = ?", [verdictHash]);
      return row === undefined
        ? null
        : {
            key: {
              agreementId: text(row, "agreement_id") as Hex,
              submissionHash: text(row, "submission_hash") as Hex,
            },
            verdictHash,
            record: text(row, "record"),
          };
    });
  }

  putDocument(
    document: { readonly hash: Hex; readonly kind: DocumentKind; readonly bytes: Uint8Array },
    at: number,
  ): Promise<boolean> {
    return this.#write(
      () =>
        this.#run("INSERT OR IGNORE INTO documents (hash, kind, bytes, stored_at) VALUES (?, ?, ?, ?)", [
          document.hash,
          document.kind,
          document.bytes,
          at,
        ]) > 0,
    );
  }

  document(hash: Hex): Promise<{ readonly kind: DocumentKind; readonly bytes: Uint8Array } | null> {
    return this.#read(() => {
      const row = this.#get("SELECT kind, bytes FROM documents WHERE hash = ?", [hash]);
      if (row === undefined) return null;
      return { kind: text(row, "kind") as DocumentKind, bytes: row["bytes"] as Uint8Array };
    });
  }

  documentBytes(): Promise<number> {
    return this.#read(() =>
      integer(this.#get("SELECT coalesce(sum(length(bytes)), 0) AS n FROM documents", []), "n"),
    );
  }

  meta(key: string): Promise<string | null> {
    return this.#read(() => {
      const row = this.#get("SELECT value FROM meta WHERE key = ?", [key]);
      return row === undefined ? null : text(row, "value");
    });
  }

  setMeta(key: string, value: string | null): Promise<void> {
    return this.#write(() => {
      if (value === null) this.#run("DELETE FROM meta WHERE key = ?", [key]);
      else
        this.#run(
          "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
          [key, value],
        );
    });
  }

  close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
    return Promise.resolve();
  }

  #insertAgreement(agreement: AgreementRow, at: number): void {
    this.#run(
      "INSERT OR IGNORE INTO agreements (agreement_id, terms, ignored_reason, first_seen_at) VALUES (?, ?, ?, ?)",
      [agreement.agreementId, encodeTerms(agreement.terms), agreement.ignoredReason, at],
    );
  }

  #rewind(number: number): void {
    this.#run("DELETE FROM logs WHERE chain = ? AND block_number > ?", [CHAIN, number]);
    this.#run("DELETE FROM blocks WHERE chain = ? AND number > ?", [CHAIN, number]);
  }

  #insertBlock(block: BlockRow, at: number): void {
    this.#run(
      "INSERT OR REPLACE INTO blocks (chain, number, hash, parent, timestamp, seen_at) VALUES (?, ?, ?, ?, ?, ?)",
      [CHAIN, block.number, block.hash, block.parent, block.timestamp, at],
    );
  }

  #insertLog(log: LogRow): void {
    this.#run(
      `INSERT OR IGNORE INTO logs (chain, block_hash, log_index, block_number, transaction_hash, agreement_id, name, data)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
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

  /** Blocks that are final and hold no log are of no more use than their number. */
  #setCursor(cursor: Cursor): void {
    this.#run(
      `INSERT INTO cursors (chain, number, hash, final_number, final_hash, final_timestamp) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (chain) DO UPDATE SET number = excluded.number, hash = excluded.hash,
         final_number = excluded.final_number, final_hash = excluded.final_hash, final_timestamp = excluded.final_timestamp`,
      [CHAIN, cursor.number, cursor.hash, cursor.final.number, cursor.final.hash, cursor.final.timestamp],
    );
    this.#run(
      `DELETE FROM blocks WHERE chain = ? AND number < ? AND NOT EXISTS
         (SELECT 1 FROM logs WHERE logs.chain = blocks.chain AND logs.block_number = blocks.number)`,
      [CHAIN, cursor.final.number],
    );
  }

  #insertOutbox(outbox: NewOutbox, at: number): void {
    const { agreementId, submissionHash } = outbox.key;
    const previous = this.#get(
      "SELECT coalesce(max(attempt), 0) AS n FROM outbox WHERE agreement_id = ? AND submission_hash = ? AND purpose = ?",
      [agreementId, submissionHash, outbox.purpose],
    );
    this.#run(
      `INSERT INTO outbox (agreement_id, submission_hash, purpose, attempt, chain, signer, nonce, status, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?)`,
      [
        agreementId,
        submissionHash,
        outbox.purpose,
        integer(previous, "n") + 1,
        outbox.chain,
        outbox.signer,
        outbox.transaction.nonce,
        at,
      ],
    );
    const id = integer(this.#get("SELECT last_insert_rowid() AS n", []), "n");
    this.#insertAttempt(id, outbox.transaction, at);
  }

  #insertAttempt(outboxId: number, transaction: SignedTransaction, at: number): void {
    this.#run(
      "INSERT INTO attempts (transaction_hash, outbox_id, raw, fee, signed_at) VALUES (?, ?, ?, ?, ?)",
      [transaction.transactionHash, outboxId, transaction.raw, transaction.fee.toString(), at],
    );
  }

  #insertSigned(signed: SignedVerdict, at: number): void {
    const existing = this.#signedRow(signed.escrow, signed.key);
    if (existing !== undefined) {
      const digest = text(existing, "digest");
      if (digest !== signed.digest) throw new SignedOtherwiseError(digest);
      return;
    }
    this.#run(
      `INSERT INTO signed (escrow, agreement_id, submission_hash, digest, operator, verdict, record, signature, signed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        signed.escrow,
        signed.key.agreementId,
        signed.key.submissionHash,
        signed.digest,
        signed.operator,
        signed.verdict,
        signed.record,
        signed.signature,
        at,
      ],
    );
  }

  #insertVerdict(verdict: VerdictRow): void {
    this.#run(
      "INSERT OR IGNORE INTO verdicts (verdict_hash, agreement_id, submission_hash, record) VALUES (?, ?, ?, ?)",
      [verdict.verdictHash, verdict.key.agreementId, verdict.key.submissionHash, verdict.record],
    );
  }

  #insertAttestation(attestation: AttestationRow, at: number): void {
    this.#run(
      `INSERT OR IGNORE INTO attestations (digest, operator, agreement_id, submission_hash, signature, received_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      [
        attestation.digest,
        attestation.operator,
        attestation.key.agreementId,
        attestation.key.submissionHash,
        attestation.signature,
        at,
      ],
    );
  }

  #changeSubmission(change: SubmissionChange, at: number): void {
    const { after, before } = change;
    const data = JSON.stringify(after);
    const deadline = deadlineOf(after);
    const anchor = anchorOf(after);
    if (before === null) {
      const added = this.#run(
        `INSERT OR IGNORE INTO submissions (agreement_id, submission_hash, state, data, version, attempts, next_at,
           deadline_at, anchor_block, created_at, updated_at) VALUES (?, ?, ?, ?, 1, 0, ?, ?, ?, ?, ?)`,
        [after.agreementId, after.submissionHash, after.name, data, change.nextAt, deadline, anchor, at, at],
      );
      if (added === 0) throw new StaleVersionError("the submission exists already");
    } else {
      const changed = this.#run(
        `UPDATE submissions SET state = ?, data = ?, version = version + 1, attempts = 0, last_error = NULL, next_at = ?,
           deadline_at = ?, anchor_block = ?, updated_at = ?
         WHERE agreement_id = ? AND submission_hash = ? AND version = ?`,
        [
          after.name,
          data,
          change.nextAt,
          deadline,
          anchor,
          at,
          after.agreementId,
          after.submissionHash,
          before.version,
        ],
      );
      if (changed === 0) throw new StaleVersionError("the submission changed meanwhile");
    }
    this.#run(
      `INSERT INTO transitions (agreement_id, submission_hash, from_state, to_state, event, reason, at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [
        after.agreementId,
        after.submissionHash,
        before?.state.name ?? null,
        after.name,
        change.events.join(" "),
        after.reason,
        at,
      ],
    );
    // Nobody watches the intents of a submission that is closed or parked: their nonces are free again.
    if ([...TERMINAL_STATES, ...PARKED_STATES].includes(after.name))
      this.#run(
        "UPDATE outbox SET status = 'closed' WHERE agreement_id = ? AND submission_hash = ? AND status = 'open'",
        [after.agreementId, after.submissionHash],
      );
  }

  #signedRow(escrow: Address, key: SubmissionKey): Row | undefined {
    return this.#get("SELECT * FROM signed WHERE escrow = ? AND agreement_id = ? AND submission_hash = ?", [
      escrow,
      key.agreementId,
      key.submissionHash,
    ]);
  }

  #toOutbox(row: Row): OutboxRow {
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
      attempts: this.#all("SELECT * FROM attempts WHERE outbox_id = ? ORDER BY signed_at, rowid", [id]).map(
        toAttempt,
      ),
    };
  }

  /** Runs one atomic write. Nothing in it awaits, so no other statement can slip into the transaction. */
  #write<T>(work: () => T): Promise<T> {
    return this.#guard(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        this.#database.exec("COMMIT");
        return result;
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  #read<T>(work: () => T): Promise<T> {
    return this.#guard(work);
  }

  #guard<T>(work: () => T): Promise<T> {
    try {
      return Promise.resolve(work());
    } catch (error) {
      if (error instanceof StaleVersionError || error instanceof SignedOtherwiseError)
        return Promise.reject(error);
      if (messageOf(error).includes("UNIQUE constraint failed: outbox.chain, outbox.signer, outbox.nonce"))
        return Promise.reject(new NonceTakenError("the nonce is taken", { cause: error }));
      return Promise.reject(new StoreError(`the database failed: ${messageOf(error)}`, { cause: error }));
    }
  }

  #run(sql: string, values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  #get(sql: string, values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  #all(sql: string, values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** The block whose finality the state waits for. */
function anchorOf(state: SubmissionState): number | null {
  if (state.name === "OBSERVED") return state.block.number;
  if (state.name === "SETTLED_SEEN") return state.seen?.block.number ?? null;
  return null;
}

function toSubmission(row: Row): SubmissionRow {
  return {
    state: JSON.parse(text(row, "data")) as SubmissionState,
    version: integer(row, "version"),
    attempts: integer(row, "attempts"),
    nextAt: row["next_at"] === null ? null : integer(row, "next_at"),
    lastError: optionalText(row, "last_error"),
    createdAt: integer(row, "created_at"),
    updatedAt: integer(row, "updated_at"),
  };
}

function toAgreement(row: Row): AgreementRow {
  return {
    agreementId: text(row, "agreement_id") as Hex,
    terms: decodeTerms(text(row, "terms")),
    ignoredReason: optionalText(row, "ignored_reason"),
  };
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

function toAttempt(row: Row): AttemptRow {
  return {
    transactionHash: text(row, "transaction_hash") as Hex,
    raw: text(row, "raw") as Hex,
    fee: BigInt(text(row, "fee")),
    signedAt: integer(row, "signed_at"),
    sentAt: row["sent_at"] === null ? null : integer(row, "sent_at"),
    sentAtBlock: row["sent_at_block"] === null ? null : integer(row, "sent_at_block"),
  };
}

/** Amounts are text: SQLite's integers end at 64 bits. */
function encodeTerms(terms: Terms): string {
  return JSON.stringify({ ...terms, reward: terms.reward.toString(), salt: terms.salt.toString() });
}

function decodeTerms(json: string): Terms {
  const stored = JSON.parse(json) as Omit<Terms, "reward" | "salt"> & { reward: string; salt: string };
  return { ...stored, reward: BigInt(stored.reward), salt: BigInt(stored.salt) };
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new StoreError(`column ${column} holds no text`);
  return value;
}

function optionalText(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

function integer(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== "number") throw new StoreError(`column ${column} holds no integer`);
  return value;
}
