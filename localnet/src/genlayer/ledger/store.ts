import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { LocalnetError } from "../../errors.ts";

/** The kinds of records that are kept, each under keys of its own. */
export type RecordKind = "meta" | "state" | "contract" | "input" | "transaction" | "evm" | "account";

/** Where records survive the process. A store without a file forgets. */
export interface Store {
  put(kind: RecordKind, key: string, body: Uint8Array): void;
  remove(kind: RecordKind, key: string): void;
  entries(kind: RecordKind): Iterable<{ key: string; body: Uint8Array }>;
  /** Makes everything that `work` puts and removes happen together or not at all. */
  atomically(work: () => void): void;
  clear(): void;
  close(): void;
}

/** A store that keeps nothing: the network lives as long as its process. */
export function createMemoryStore(): Store {
  return {
    put: () => undefined,
    remove: () => undefined,
    entries: () => [],
    atomically: (work) => work(),
    clear: () => undefined,
    close: () => undefined,
  };
}

/**
 * A store in `<dataDir>/genlayer.sqlite`, made when missing.
 *
 * @throws {@link LocalnetError} `ENVIRONMENT` when the folder or the file cannot be used
 */
export function openStore(dataDir: string): Store {
  let database: DatabaseSync;
  try {
    mkdirSync(dataDir, { recursive: true });
    database = new DatabaseSync(join(dataDir, "genlayer.sqlite"));
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS records (
        kind TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, key)
      ) WITHOUT ROWID;
    `);
  } catch (cause) {
    throw new LocalnetError(
      "ENVIRONMENT",
      `The GenLayer network cannot keep its state in ${dataDir}.`,
      "Give a folder that can be written, or none to keep nothing.",
      { cause },
    );
  }
  const put = database.prepare("INSERT OR REPLACE INTO records (kind, key, body) VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM records WHERE kind = ? AND key = ?");
  const select = database.prepare("SELECT key, body FROM records WHERE kind = ?");
  let depth = 0;
  return {
    put: (kind, key, body) => void put.run(kind, key, body),
    remove: (kind, key) => void remove.run(kind, key),
    *entries(kind) {
      for (const { key, body } of select.iterate(kind)) {
        if (typeof key === "string" && body instanceof Uint8Array) yield { key, body };
      }
    },
    atomically(work) {
      if (depth > 0) {
        work();
        return;
      }
      depth += 1;
      database.exec("BEGIN IMMEDIATE");
      try {
        work();
        database.exec("COMMIT");
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      } finally {
        depth -= 1;
      }
    },
    clear: () => database.exec("DELETE FROM records"),
    close: () => database.close(),
  };
}
