import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { migrationFiles } from "../migrations.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/**
 * Brings the schema to the newest version, one numbered file after another, each in its own transaction.
 *
 * @throws StoreVersionError when the database is newer than the files.
 */
export function migrate(database: DatabaseSync): void {
  let version = versionOf(database);
  for (const file of migrationFiles(FOLDER, version))
    database.exec(
      `BEGIN IMMEDIATE; ${readFileSync(file, "utf8")}; PRAGMA user_version = ${++version}; COMMIT`,
    );
}

function versionOf(database: DatabaseSync): number {
  const row = database.prepare("PRAGMA user_version").get();
  return Number(row?.["user_version"] ?? 0);
}
