import { readdirSync } from "node:fs";
import { StoreVersionError } from "./errors.ts";

/**
 * The numbered SQL files that a database of that version still needs, in order.
 *
 * @throws StoreVersionError when the database is newer than the files.
 */
export function migrationFiles(folder: URL, version: number): readonly URL[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort();
  if (version > names.length) throw new StoreVersionError(version, names.length);
  return names.slice(version).map((name) => new URL(name, folder));
}
