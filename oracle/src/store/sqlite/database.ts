import { backup, type DatabaseSync, type StatementSync } from "node:sqlite";
import { NonceTakenError, StoreError, isOrdinary } from "../errors.ts";
import { memoryLeases } from "./leases.ts";
import { memoryLocks } from "./locks.ts";
import type { Database } from "../sql/database.ts";
import type { Result, Script, Statement } from "../sql/script.ts";

/** A write that waits for the next transaction. */
interface Pending {
  /** Whether its caller goes on only once it is on disk. */
  readonly durable: boolean;
  /** Runs it inside the open transaction; what it came to is told once that is on disk. */
  run(): void;
  settle(): void;
  fail(error: unknown): void;
}

/**
 * One SQLite file, in one process. Writes that come within one turn of the event loop share a transaction, so that they
 * share its sync to disk: each of them is still whole or absent, and none is acknowledged before the sync.
 */
export class SqliteDatabase implements Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #pending: Pending[] = [];
  readonly leases;
  readonly locks = memoryLocks();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.leases = memoryLeases((script) => this.read(script));
  }

  read<T>(script: () => Script<T>): Promise<T> {
    try {
      return Promise.resolve(this.#execute(script));
    } catch (error) {
      return Promise.reject(asStoreError(error));
    }
  }

  write<T>(script: () => Script<T>): Promise<T> {
    return this.#enqueue(script, true);
  }

  note<T>(script: () => Script<T>): Promise<T> {
    return this.#enqueue(script, false);
  }

  #enqueue<T>(script: () => Script<T>, durable: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      let outcome: () => void = () => undefined;
      const pending: Pending = {
        durable,
        run: () => {
          outcome = this.#attempt(script, resolve, reject);
        },
        settle: () => {
          outcome();
        },
        fail: (error) => {
          reject(asStoreError(error));
        },
      };
      this.#pending.push(pending);
      if (this.#pending.length === 1)
        setImmediate(() => {
          this.#flush();
        });
    });
  }

  async backup(file: string): Promise<void> {
    try {
      await backup(this.#database, file);
    } catch (error) {
      throw asStoreError(error);
    }
  }

  close(): Promise<void> {
    this.#flush();
    if (this.#database.isOpen) this.#database.close();
    return Promise.resolve();
  }

  #flush(): void {
    const group = this.#pending;
    if (group.length === 0) return;
    this.#pending = [];
    const durable = group.some((pending) => pending.durable);
    try {
      // The log is written in order, so that notes are on disk no later than the next write.
      if (!durable) this.#database.exec("PRAGMA synchronous = NORMAL");
      this.#database.exec("BEGIN IMMEDIATE");
      for (const pending of group) pending.run();
      this.#database.exec("COMMIT");
      if (!durable) this.#database.exec("PRAGMA synchronous = FULL");
    } catch (error) {
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec("ROLLBACK");
      if (this.#database.isOpen && !durable) this.#database.exec("PRAGMA synchronous = FULL");
      for (const pending of group) pending.fail(error);
      return;
    }
    for (const pending of group) pending.settle();
  }

  /** One write of the group, undone alone when it throws. Returns how to tell its caller. */
  #attempt<T>(
    script: () => Script<T>,
    resolve: (value: T) => void,
    reject: (error: Error) => void,
  ): () => void {
    this.#prepare("SAVEPOINT one").run();
    try {
      const result = this.#execute(script);
      this.#prepare("RELEASE one").run();
      return () => {
        resolve(result);
      };
    } catch (error) {
      // A full disk ends the whole transaction; then there is nothing left to go back to.
      if (!this.#database.isTransaction) throw error;
      this.#prepare("ROLLBACK TO one").run();
      this.#prepare("RELEASE one").run();
      return () => {
        reject(asStoreError(error));
      };
    }
  }

  #execute<T>(script: () => Script<T>): T {
    const running = script();
    let turn = running.next();
    while (turn.done !== true) turn = running.next(this.#answer(turn.value));
    return turn.value;
  }

  #answer({ kind, sql, values }: Statement): Result {
    const statement = this.#prepare(sql);
    if (kind === "rows") return { rows: statement.all(...values), changes: 0 };
    return { rows: [], changes: Number(statement.run(...values).changes) };
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

function asStoreError(error: unknown): Error {
  if (error instanceof Error && isOrdinary(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes("UNIQUE constraint failed: outbox.chain, outbox.signer, outbox.nonce"))
    return new NonceTakenError("the nonce is taken", { cause: error });
  return new StoreError(`the database failed: ${message}`, { cause: error });
}
