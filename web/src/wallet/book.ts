import { isHash, toAddress, toHash, type Hex, type Words } from "@assay/protocol";
import { Stopped, follow, type Writer } from "./transact.ts";
import {
  IDLE,
  followed,
  isUnderWay,
  nextTransaction,
  type Sent,
  type Transaction,
  type TransactionEvent,
} from "./transaction.ts";

/** Told what happens on the way to a transaction. */
export interface Telling {
  readonly tell: (event: TransactionEvent) => void;
  /** Keeps what was sent, before anything else happens. */
  readonly keep: (sent: Sent) => void;
}

/** Every transaction of this page by what it is for, as a store that React can follow. */
export interface TransactionBook {
  readonly state: (key: string) => Transaction;
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Does the work of a click, unless the same act is under way, and follows what it sends.
   *
   * @param work ends by a transaction that was sent; by {@link Stopped} when it has told why it goes no further.
   */
  readonly begin: (key: string, work: (telling: Telling) => Promise<unknown>) => Promise<void>;
  /** Forgets what is over. */
  readonly dismiss: (key: string) => void;
  readonly close: () => void;
}

/** Where open transactions outlive a reload. */
export interface Shelf {
  readonly read: () => string | null;
  readonly write: (text: string) => void;
}

const LOOK_MILLISECONDS = 1_000;

/** Opens the book, and goes on following what an earlier load of the page has sent. */
export function createBook(reading: Pick<Writer, "node" | "wording">, shelf: Shelf): TransactionBook {
  const states = new Map<string, Transaction>();
  const listeners = new Set<() => void>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let isClosed = false;

  const state = (key: string): Transaction => states.get(key) ?? IDLE;
  const save = (also?: [key: string, sent: Sent]): void => {
    const kept = [...states].flatMap(([key, one]) => {
      const sent = followed(one);
      return sent === null ? [] : [[key, sent] as const];
    });
    shelf.write(JSON.stringify(Object.fromEntries(also === undefined ? kept : [...kept, also])));
  };
  const tell = (key: string, event: TransactionEvent): void => {
    const before = state(key);
    const after = nextTransaction(before, event);
    if (after === before) return;
    states.set(key, after);
    save();
    for (const listener of listeners) listener();
  };
  const wait = (): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve(!isClosed);
      }, LOOK_MILLISECONDS);
      timers.add(timer);
    });
  const followOn = (key: string): Promise<void> =>
    follow(
      reading,
      () => state(key),
      (event) => tell(key, event),
      wait,
    );

  for (const [key, sent] of readShelf(shelf.read())) {
    tell(key, { type: "sent", sent });
    void followOn(key);
  }

  return {
    state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async begin(key, work) {
      if (isUnderWay(state(key))) return;
      tell(key, { type: "clicked" });
      try {
        await work({ tell: (event) => tell(key, event), keep: (sent) => save([key, sent]) });
      } catch (error) {
        if (error instanceof Stopped) return;
        tell(key, { type: "failed", words: wordsOf(error) });
        return;
      }
      await followOn(key);
    },
    dismiss: (key) => tell(key, { type: "dismissed" }),
    close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** What was kept; whatever is not whole is passed over. */
function readShelf(text: string | null): [key: string, sent: Sent][] {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    return Object.entries(Object(kept) as object).flatMap(([key, value]) => {
      const sent = sentFrom(value);
      return sent === null ? [] : [[key, sent]];
    });
  } catch {
    return [];
  }
}

function sentFrom(value: unknown): Sent | null {
  try {
    const { hash, from, call, nonce, sinceBlock } = value as Record<string, unknown>;
    const { to, data } = call as Record<string, unknown>;
    if (!isHash(hash) || typeof data !== "string" || !/^0x([0-9a-f]{2})*$/i.test(data)) return null;
    return {
      hash: toHash(hash),
      from: toAddress(from as string),
      call: { to: toAddress(to as string), data: data as Hex },
      nonce: Number.isSafeInteger(nonce) ? (nonce as number) : null,
      sinceBlock: Number.isSafeInteger(sinceBlock) ? (sinceBlock as number) : 0,
    };
  } catch {
    return null;
  }
}

/** What stopped the work before the wallet was asked; errors of this project bring a hint along. */
function wordsOf(error: unknown): Words {
  const text = error instanceof Error ? error.message : String(error);
  const message = `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
  const hint = error instanceof Error && "hint" in error ? String(error.hint) : "Try again.";
  return { message, hint };
}
