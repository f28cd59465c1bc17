import { readFileSync } from "node:fs";
import type { Pool } from "pg";
import { migrationFiles } from "../migrations.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/** Key of the advisory lock that lets one worker at a time change the schema. */
const LOCK = 4_703_126_001;

/**
 * Brings the schema to the newest version, all in one transaction. Workers that start together wait for each other.
 *
 * @throws StoreVersionError when the database is newer than the files.
 */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await client.query("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
    const { rows } = await client.query<{ version: number }>("SELECT version FROM schema_version");
    const found = rows[0]?.version ?? 0;
    const files = migrationFiles(FOLDER, found);
    for (const file of files) await client.query(readFileSync(file, "utf8"));
    if (files.length > 0) {
      await client.query("DELETE FROM schema_version");
      await client.query("INSERT INTO schema_version (version) VALUES ($1)", [found + files.length]);
    }
    await client.query("COMMIT");
    client.release();
  } catch (error) {
    // The connection's transaction ends with it.
    client.release(true);
    throw error;
  }
}
