import type { Client } from "pg";
import { SignerBusyError, StoreError } from "../errors.ts";
import { createMutexes } from "../mutexes.ts";
import type { Locks } from "../sql/database.ts";

/** Milliseconds to wait for another worker's lock: longer than any request of the holder may take. */
const WAIT_MILLISECONDS = 60_000;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Advisory locks, each held by a connection of its own: the server lets go of it when the worker dies. Within one worker
 * the same lock is waited for in memory.
 */
export class AdvisoryLocks implements Locks {
  readonly #connect: () => Client;
  readonly #mutexes = createMutexes();
  readonly #clients = new Map<string, Promise<Client>>();
  readonly #posts = new Set<string>();
  #closed = false;

  constructor(connect: () => Client) {
    this.#connect = connect;
  }

  hold<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#mutexes.run(name, async () => {
      const client = await this.#client(name);
      await lock(client, name);
      try {
        return await work();
      } finally {
        // When the connection is gone, so is the lock.
        await client.query(`SELECT pg_advisory_unlock(${KEY})`, [name]).catch(() => undefined);
      }
    });
  }

  keep(name: string): Promise<boolean> {
    return this.#mutexes.run(name, async () => {
      if (this.#posts.has(name)) return true;
      const client = await this.#client(name);
      const { rows } = await query<{ taken: boolean }>(
        client,
        `SELECT pg_try_advisory_lock(${KEY}) AS taken`,
        name,
      );
      const taken = rows[0]?.taken === true;
      if (taken) this.#posts.add(name);
      return taken;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const clients = await Promise.allSettled(this.#clients.values());
    this.#clients.clear();
    for (const client of clients) if (client.status === "fulfilled") await client.value.end();
  }

  /** The connection that holds a lock. When it breaks the lock is lost, and the next one starts over. */
  async #client(name: string): Promise<Client> {
    if (this.#closed) throw new StoreError("the database is closed");
    const existing = this.#clients.get(name);
    if (existing !== undefined) return existing;
    const client = this.#connect();
    const forget = () => {
      this.#clients.delete(name);
      this.#posts.delete(name);
    };
    client.on("error", forget);
    client.on("end", forget);
    const connected = client.connect().then(() => client);
    this.#clients.set(name, connected);
    try {
      await connected;
      await client.query(`SET lock_timeout = ${WAIT_MILLISECONDS}`);
      return client;
    } catch (error) {
      forget();
      throw failure(error);
    }
  }
}

/** The lock's 64-bit number; locks are per database. */
const KEY = "hashtextextended('assay ' || $1::text, 0)";

async function lock(client: Client, name: string): Promise<void> {
  try {
    await client.query(`SELECT pg_advisory_lock(${KEY})`, [name]);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE)
      throw new SignerBusyError(`another worker holds "${name}"`, { cause: error });
    throw failure(error);
  }
}

async function query<R extends object>(client: Client, sql: string, name: string) {
  try {
    return await client.query<R>(sql, [name]);
  } catch (error) {
    throw failure(error);
  }
}

function failure(error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(`the database failed: ${reason}`, { cause: error });
}
