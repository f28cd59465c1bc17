import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS agents (
  id TEXT PRIMARY KEY, key_hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS offers (
  id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, job_id TEXT NOT NULL, recorder_nonce TEXT NOT NULL,
  expires_at INTEGER NOT NULL, mission_id TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS missions (
  id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, job_id TEXT, nonce TEXT NOT NULL, recorder_nonce TEXT,
  agent_nonce TEXT, steps TEXT NOT NULL, committed_root TEXT NOT NULL, started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS progress (
  mission_id TEXT PRIMARY KEY, position INTEGER NOT NULL, chain TEXT NOT NULL,
  chain_id INTEGER, escrow TEXT, agreement_id TEXT, reward TEXT, adjudicator TEXT, signature TEXT,
  UNIQUE (chain_id, escrow, agreement_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS records (
  mission_id TEXT NOT NULL, step_index INTEGER NOT NULL, request_hash TEXT NOT NULL, response_hash TEXT NOT NULL,
  attestation TEXT NOT NULL, chain TEXT NOT NULL, recorded_at INTEGER NOT NULL,
  PRIMARY KEY (mission_id, step_index)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
  mission_id TEXT PRIMARY KEY, status INTEGER NOT NULL, headers TEXT NOT NULL, body BLOB NOT NULL
) STRICT;
PRAGMA user_version = 1;
`;
const VERSION = 1;

/** What a column may hold. */
export type Value = string | number | Uint8Array | null;

interface Pending {
  run(): void;
  settle(): void;
  fail(error: unknown): void;
}

/** Syncs a file's data to its disk; rejects when that is not certain. */
export type Sync = (file: number) => Promise<void>;

/**
 * One SQLite file that no second process may open. Each write is whole or absent, and none is acknowledged before it is
 * on disk.
 *
 * SQLite itself does not sync when it commits (`synchronous = NORMAL`); this class syncs the log, in a thread of Node's,
 * before it acknowledges. So one sync serves every write that was committed before it began, those that come meanwhile
 * share the next one, and nothing else waits for the disk.
 */
export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The write-ahead log; null for a database in memory. */
  readonly #log: number | null;
  readonly #sync: Sync;
  /** To be committed in this turn of the event loop. */
  #pending: Pending[] = [];
  /** Committed, and waiting for a sync that begins after that. */
  #committed: Pending[] = [];
  #isSyncing = false;
  /** Why nothing can be relied on any more. */
  #fault: Error | null = null;

  /**
   * @param path of the file, or `:memory:`.
   * @throws Error when another process has it open, or a later version of the recorder wrote it.
   */
  constructor(path: string, sync: Sync = promisify(fdatasync)) {
    this.#sync = sync;
    this.#database = new DatabaseSync(path, { timeout: 1000 });
    this.#database.exec(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE; COMMIT;",
    );
    const { user_version: version } = this.get("PRAGMA user_version") as { user_version: number };
    if (version > VERSION) throw new Error(`${path} was written by a later version of the recorder`);
    this.#database.exec(SCHEMA);
    this.#log = path === ":memory:" ? null : openSync(`${path}-wal`, "r");
    if (this.#log === null) return;
    fsyncSync(this.#log);
    syncFolder(dirname(path));
  }

  /** Commits and syncs what is left. */
  close(): void {
    this.#commit();
    const rest = this.#committed;
    this.#committed = [];
    if (this.#log !== null) fdatasyncSync(this.#log);
    for (const write of rest) write.settle();
    this.#database.close();
    if (this.#log !== null) closeSync(this.#log);
  }

  /** Whether it answers, and keeps what it is given. */
  isAlive(): boolean {
    return this.#fault === null && this.get("SELECT 1 AS one") !== undefined;
  }

  /** Runs `action` inside a transaction; settles when that is on disk, or undone because it threw. */
  write<T>(action: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#fault !== null) {
        reject(this.#fault);
        return;
      }
      let outcome: () => void = () => undefined;
      this.#pending.push({
        run: () => {
          this.#database.exec("SAVEPOINT one");
          try {
            const value = action();
            outcome = () => resolve(value);
          } catch (error) {
            this.#database.exec("ROLLBACK TO one");
            outcome = () => reject(asError(error));
          }
          this.#database.exec("RELEASE one");
        },
        settle: () => outcome(),
        fail: reject,
      });
      if (this.#pending.length === 1) setImmediate(() => this.#commit());
    });
  }

  /** Settles when everything that can be read now is on disk; await it between reading something and telling it. */
  synced(): Promise<void> {
    if (this.#fault !== null) return Promise.reject(this.#fault);
    if (!this.#isSyncing && this.#committed.length === 0) return Promise.resolve();
    return new Promise((settle, fail) => {
      this.#committed.push({ run: () => undefined, settle, fail });
    });
  }

  #commit(): void {
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length === 0) return;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      for (const write of batch) write.run();
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      for (const write of batch) write.fail(error);
      return;
    }
    this.#committed.push(...batch);
    void this.#syncAll();
  }

  /** One sync at a time, for as long as something waits for one. */
  async #syncAll(): Promise<void> {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    while (this.#committed.length > 0) {
      const batch = this.#committed;
      this.#committed = [];
      try {
        if (this.#fault !== null) throw this.#fault;
        if (this.#log !== null) await this.#sync(this.#log);
        for (const write of batch) write.settle();
      } catch (error) {
        // A disk that failed once may have dropped what it was given; nothing is acknowledged any more.
        this.#fault ??= asError(error);
        for (const write of batch) write.fail(this.#fault);
      }
    }
    this.#isSyncing = false;
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Number of rows changed. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** The first row, if there is one. */
  get(sql: string, ...values: Value[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: Value[]): Record<string, unknown>[] {
    return this.#statement(sql).all(...values);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** So that the names of new files are on disk too. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
