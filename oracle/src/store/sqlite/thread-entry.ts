/** The thread that has the database: answers the calls of the store, one letter of them after another. */
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import type { Store } from "../store.ts";
import { openSqliteStore } from "./open.ts";
import { toWire, type Call, type Opened, type Reply } from "./wire.ts";

type Method = (...parameters: unknown[]) => Promise<unknown>;

function serve(port: MessagePort, store: Store): void {
  async function answer({ id, method, parameters }: Call): Promise<Reply> {
    try {
      return { id, result: await (store[method as keyof Store] as Method).apply(store, [...parameters]) };
    } catch (error) {
      return { id, error: toWire(error) };
    }
  }

  // The writes of one letter share a transaction, so that nothing is lost by answering all of it at once.
  port.on("message", (calls: readonly Call[]) => {
    void Promise.all(calls.map(answer)).then((replies) => {
      port.postMessage(replies);
    });
  });
}

function open(port: MessagePort): void {
  try {
    const store = openSqliteStore((workerData as { readonly file: string }).file);
    serve(port, store);
    port.postMessage("open" satisfies Opened);
  } catch (error) {
    port.postMessage({ error: toWire(error) } satisfies Opened);
  }
}

if (parentPort !== null) open(parentPort);
