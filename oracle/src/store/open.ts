import { join } from "node:path";
import type { Secret } from "../config/index.ts";
import { openPostgresStore } from "./postgres/open.ts";
import { openSqliteThread } from "./sqlite/thread.ts";
import type { Store } from "./store.ts";

/** Name of the database in an operator's folder. */
export const DATABASE_FILE = "operator.sqlite";

/**
 * Opens the store that the configuration chooses: PostgreSQL when it has a URL, else one file in the operator's folder.
 *
 * @throws StoreError and its kinds.
 */
export async function openStore(config: {
  readonly dataDir: string;
  readonly databaseUrl: Secret<string> | null;
}): Promise<Store> {
  return config.databaseUrl === null
    ? openSqliteThread(join(config.dataDir, DATABASE_FILE))
    : openPostgresStore(config.databaseUrl.reveal());
}
