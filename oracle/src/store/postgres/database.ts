import type { Client, ClientBase, Pool } from "pg";
import { NonceTakenError, StaleVersionError, StoreError, isOrdinary } from "../errors.ts";
import type { Database, Leases, Locks } from "../sql/database.ts";
import { run, type Result, type Script, type Statement } from "../sql/script.ts";
import { rowLeases } from "./leases.ts";
import { AdvisoryLocks } from "./locks.ts";

/** A PostgreSQL database that several workers share. */
export class PostgresDatabase implements Database {
  readonly #pool: Pool;
  readonly #locks: AdvisoryLocks;
  readonly leases: Leases;

  constructor(options: {
    readonly pool: Pool;
    /** A new connection of its own, not connected yet. */
    readonly connect: () => Client;
    /** Name of this worker, unlike any other's. */
    readonly worker: string;
    readonly leaseMilliseconds: number;
  }) {
    this.#pool = options.pool;
    this.#locks = new AdvisoryLocks(options.connect);
    this.leases = rowLeases(this, options.worker, options.leaseMilliseconds);
  }

  get locks(): Locks {
    return this.#locks;
  }

  async read<T>(script: () => Script<T>): Promise<T> {
    return this.#withClient((client) => execute(client, script));
  }

  /** Where two transactions locked each other's rows, the server ends one: nothing of it is written, and it runs again. */
  async write<T>(script: () => Script<T>): Promise<T> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#attempt(script);
      } catch (error) {
        if (!isCollision(error) || attempt === MOST_ATTEMPTS) throw error;
      }
  }

  #attempt<T>(script: () => Script<T>): Promise<T> {
    return this.#withClient(async (client) => {
      await client.query("BEGIN");
      try {
        const result = await execute(client, script);
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK");
        throw error;
      }
    });
  }

  note<T>(script: () => Script<T>): Promise<T> {
    return this.write(function* () {
      yield* run("SET LOCAL synchronous_commit = off");
      return yield* script();
    });
  }

  backup(): Promise<void> {
    return Promise.reject(
      new StoreError("PostgreSQL has its own tools for copies that are consistent: use pg_dump"),
    );
  }

  async close(): Promise<void> {
    await this.#locks.close();
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #withClient<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    try {
      const client = await this.#pool.connect();
      let broken = true;
      try {
        const result = await work(client);
        broken = false;
        return result;
      } catch (error) {
        // A statement that the server refused leaves the connection as good as before.
        broken = !(error instanceof Error && ("severity" in error || isOrdinary(error)));
        throw error;
      } finally {
        client.release(broken);
      }
    } catch (error) {
      throw asStoreError(error);
    }
  }
}

async function execute<T>(client: ClientBase, script: () => Script<T>): Promise<T> {
  const running = script();
  let turn = running.next();
  while (turn.done !== true) turn = running.next(await answer(client, turn.value));
  return turn.value;
}

async function answer(client: ClientBase, statement: Statement): Promise<Result> {
  const { rows, rowCount } = await client.query<Record<string, unknown>>(numbered(statement.sql), [
    ...statement.values,
  ]);
  return { rows, changes: rowCount ?? 0 };
}

const translated = new Map<string, string>();

/** The statement with PostgreSQL's placeholders. */
function numbered(sql: string): string {
  let result = translated.get(sql);
  if (result === undefined) {
    let count = 0;
    result = sql.replaceAll("?", () => `$${++count}`);
    translated.set(sql, result);
  }
  return result;
}

/** Two transactions got into each other's way, and the server ended ours: nothing of it is written. */
const COLLISIONS = ["40001", "40P01"];
/** Times that a transaction runs before its caller has to read again. */
const MOST_ATTEMPTS = 5;
const UNIQUE_VIOLATION = "23505";

/** Whether it is the error that a collision was turned into. */
function isCollision(error: unknown): boolean {
  if (!(error instanceof StaleVersionError)) return false;
  const { cause } = error;
  return cause instanceof Error && "code" in cause && COLLISIONS.includes(String(cause.code));
}

/** @returns what callers handle, or a StoreError, whose text tells nothing of where the database is. */
export function asStoreError(error: unknown): Error {
  if (!(error instanceof Error)) return new StoreError(`the database failed: ${String(error)}`);
  if (isOrdinary(error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (COLLISIONS.includes(code))
    return new StaleVersionError("another worker changed the same rows", { cause: error });
  if (code === UNIQUE_VIOLATION && "constraint" in error && error.constraint === "outbox_nonce")
    return new NonceTakenError("the nonce is taken", { cause: error });
  return new StoreError(`the database failed: ${error.message}`, { cause: error });
}
