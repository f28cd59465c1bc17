import { DatabaseSync, type StatementSync } from "node:sqlite";

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

/**
 * One SQLite file that no second process may open. Writes of one turn of the event loop share a transaction and its
 * sync to disk; each is whole or absent, and none is acknowledged before that.
 */
export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #pending: Pending[] = [];

  /**
   * @param path of the file, or `:memory:`.
   * @throws Error when another process has it open, or a later version of the recorder wrote it.
   */
  constructor(path: string) {
    this.#database = new DatabaseSync(path, { timeout: 1000 });
    this.#database.exec(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE; COMMIT;",
    );
    const { user_version: version } = this.get("PRAGMA user_version") as { user_version: number };
    if (version > VERSION) throw new Error(`${path} was written by a later version of the recorder`);
    this.#database.exec(SCHEMA);
  }

  close(): void {
    this.#flush();
    this.#database.close();
  }

  /** Runs `action` inside a transaction; settles when that is on disk, or undone because it threw. */
  write<T>(action: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
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
      if (this.#pending.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
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
    for (const write of batch) write.settle();
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
