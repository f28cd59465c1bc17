import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError, StoreLockedError } from "../errors.ts";
import { SqlStore } from "../sql/sql-store.ts";
import type { Store } from "../store.ts";
import { SqliteDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

/** Milliseconds to wait for a predecessor that is shutting down to let go of the file. */
const LOCK_WAIT_MILLISECONDS = 2_000;

/**
 * Opens (and creates, and migrates) the one-file store of an operator, for one process.
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
    return new SqlStore(new SqliteDatabase(database));
  } catch (error) {
    database?.close();
    if (error instanceof StoreError) throw error;
    if (isLocked(error)) throw new StoreLockedError(file, { cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(`the database ${file} can't be opened: ${reason}`, { cause: error });
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && /database is locked|SQLITE_BUSY/.test(error.message);
}
