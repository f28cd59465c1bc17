import { readFileSync, readdirSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StoreVersionError } from "../errors.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/**
 * Brings the schema to the newest version, one numbered file after another, each in its own transaction.
 *
 * @throws StoreVersionError when the database is newer than the files.
 */
export function migrate(database: DatabaseSync): void {
  const files = readdirSync(FOLDER)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort();
  const found = versionOf(database);
  if (found > files.length) throw new StoreVersionError(found, files.length);
  for (const [index, name] of files.entries()) {
    if (index < found) continue;
    const sql = readFileSync(new URL(name, FOLDER), "utf8");
    database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}

function versionOf(database: DatabaseSync): number {
  const row = database.prepare("PRAGMA user_version").get();
  return Number(row?.["user_version"] ?? 0);
}
