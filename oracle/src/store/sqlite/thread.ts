import { Worker } from "node:worker_threads";
import { StoreError } from "../errors.ts";
import type { Store } from "../store.ts";
import { memoryLocks } from "./locks.ts";
import { fromWire, toWire, type Call, type Opened, type Reply } from "./wire.ts";

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Letters under way at the same time: while the thread works on one, the next is there already. */
const MAX_LETTERS = 2;
const ENTRY = new URL("./thread-entry.ts", import.meta.url);

/**
 * Opens the one-file store of an operator in a thread of its own, so that a sync to disk stops nobody but whoever waits
 * for it: meanwhile the service works on, and what it writes shares the next sync.
 *
 * @param file path of the database.
 * @throws the errors of `openSqliteStore`.
 */
export async function openSqliteThread(file: string): Promise<Store> {
  const thread = new DatabaseThread(new Worker(ENTRY, { workerData: { file }, execArgv: [] }));
  await thread.opened();
  return thread.store();
}

class DatabaseThread {
  readonly #worker: Worker;
  readonly #open = new Map<number, Waiting>();
  readonly #first = Promise.withResolvers<Opened>();
  #outgoing: Call[] = [];
  #last = 0;
  /** Letters that the thread has not answered. */
  #underWay = 0;
  /** Why no call can be answered any more; null while the thread works. */
  #ended: Error | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.once("message", (opened: Opened) => {
      this.#first.resolve(opened);
      worker.on("message", (replies: readonly Reply[]) => this.#take(replies));
    });
    worker.on("error", (error) =>
      this.#end(new StoreError("the database's thread failed", { cause: error })),
    );
    worker.on("exit", () => this.#end(new StoreError("the database is closed")));
  }

  async opened(): Promise<void> {
    const opened = await this.#first.promise;
    if (opened !== "open") {
      await this.#worker.terminate();
      throw fromWire(opened.error);
    }
    // Like a database in this thread, it keeps no process alive that waits for nothing of it.
    this.#worker.unref();
  }

  /** The store as the thread has it; only what keeps the work of this process apart stays here. */
  store(): Store {
    const locks = memoryLocks();
    const here: Partial<Store> = {
      withSigner: (chain, signer, work) => locks.hold(`signer ${chain} ${signer}`, work),
      close: () => this.#close(),
    };
    return new Proxy({} as Store, {
      get: (_target, method: keyof Store | symbol) => {
        // Whoever awaits a store asks whether it is a promise.
        if (typeof method === "symbol" || (method as string) === "then") return undefined;
        return here[method] ?? ((...parameters: readonly unknown[]) => this.#call(method, parameters));
      },
    });
  }

  #call(method: string, parameters: readonly unknown[]): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      if (this.#open.size === 0) this.#worker.ref();
      this.#open.set(id, { resolve, reject });
      this.#outgoing.push({ id, method, parameters });
      if (this.#outgoing.length === 1) setImmediate(() => this.#send());
    });
  }

  /** Sends what was asked meanwhile, as one letter. */
  #send(): void {
    const calls = this.#outgoing;
    if (this.#underWay >= MAX_LETTERS || this.#ended !== null || calls.length === 0) return;
    this.#outgoing = [];
    this.#underWay++;
    this.#worker.postMessage(calls);
  }

  #take(replies: readonly Reply[]): void {
    this.#underWay--;
    for (const reply of replies) {
      const waiting = this.#open.get(reply.id);
      this.#open.delete(reply.id);
      if ("error" in reply) waiting?.reject(fromWire(reply.error));
      else waiting?.resolve(reply.result);
    }
    if (this.#open.size === 0) this.#worker.unref();
    // After those who were answered had their turn, so that what they ask next goes along.
    setImmediate(() => this.#send());
  }

  async #close(): Promise<void> {
    if (this.#ended !== null) return;
    await this.#call("close", []);
    await this.#worker.terminate();
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#first.resolve({ error: toWire(error) });
    for (const waiting of this.#open.values()) waiting.reject(this.#ended);
    this.#open.clear();
  }
}
