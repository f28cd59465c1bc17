import { randomUUID } from "node:crypto";
import pg from "pg";
import { StoreError } from "../errors.ts";
import { SqlStore } from "../sql/sql-store.ts";
import type { Store } from "../store.ts";
import { PostgresDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

/** Connections that a worker shares among its reads and writes; its locks have one more each. */
const CONNECTIONS = 8;
/** Milliseconds until a server that does not answer counts as down. */
const CONNECT_MILLISECONDS = 10_000;
/** Milliseconds for which a submission belongs to a worker that says nothing more. */
const LEASE_MILLISECONDS = 30_000;

/**
 * Opens (and migrates) a PostgreSQL database for one of the workers of an operator that share it. Each operator needs a
 * database of its own.
 *
 * @param url connection URL; it may hold a password, so it never appears in an error.
 * @throws StoreVersionError when a newer service wrote the database, StoreError when it can't be used.
 */
export async function openPostgresStore(
  url: string,
  options: { readonly leaseMilliseconds?: number } = {},
): Promise<Store> {
  const types = new pg.TypeOverrides();
  // The driver gives 64-bit integers as text unless told otherwise.
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const settings: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    keepAlive: true,
    application_name: "assay-operator",
    // Whatever the server's default is: what was acknowledged is on disk.
    options: "-c synchronous_commit=on -c default_transaction_isolation=read\\ committed",
    types,
  };
  const pool = new pg.Pool({ ...settings, max: CONNECTIONS });
  // An idle connection that breaks is replaced; whoever needs it meets the error by themselves.
  pool.on("error", () => undefined);
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`the database of ASSAY_DATABASE_URL can't be used: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  return new SqlStore(
    new PostgresDatabase({
      pool,
      connect: () => new pg.Client(settings),
      worker: randomUUID(),
      leaseMilliseconds: options.leaseMilliseconds ?? LEASE_MILLISECONDS,
    }),
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to a name with several addresses has its message inside only.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ");
  return error.message;
}
