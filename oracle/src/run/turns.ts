import { freeNonces } from "../core/index.ts";
import {
  keyOf,
  type SignedTransaction,
  type Store,
  type SubmissionKey,
  type SubmissionRow,
} from "../store/index.ts";
import { isFatal } from "./failure.ts";
import type { Lane } from "./lane.ts";
import type { Signing } from "./step.ts";

/** Submissions that may stand in line for one lane. */
const MOST_IN_LINE = 1_024;

/** A submission that stands in line for a nonce. */
export interface Turn {
  readonly row: SubmissionRow;
  /** Finds out what is to be signed; null when it is nothing, and the submission goes on by itself. */
  prepare(): Promise<Signing | null>;
}

/** A turn with what is to be signed. */
export interface Prepared<T extends Turn> {
  readonly turn: T;
  readonly signing: Signing;
}

/** A turn with what was signed, and nobody has seen. */
export interface Signed<T extends Turn> extends Prepared<T> {
  readonly transaction: SignedTransaction;
}

/** Gives out the nonces of keys: to as many in line as may be under way, which are signed and written together. */
export interface Turns<T extends Turn> {
  /** @returns false when the line is full. */
  enter(lane: Lane, turn: T): boolean;
  /** Goes through the lines: there may be a free place, or somebody new. */
  look(): void;
  /** Sends everybody away who stands in line. Returns who that was. */
  empty(): readonly SubmissionKey[];
}

export interface TurnsOptions<T extends Turn> {
  readonly store: Pick<Store, "openNonces" | "withSigner">;
  /** Runs work beside; its failure ends the worker. */
  readonly begin: (work: () => Promise<void>) => void;
  readonly stopped: () => boolean;
  /**
   * Journals what was signed, all of it or none.
   *
   * @returns how each goes on, once the lane is free for others.
   */
  readonly write: (signed: readonly Signed<T>[]) => Promise<readonly (() => Promise<void>)[]>;
  /** Deals with a turn that failed. Rejects when the worker can't go on. */
  readonly failed: (turn: T, error: unknown) => Promise<void>;
}

/**
 * What became of several, in the order of their nonces, up to the first that failed: whoever comes after it would leave a
 * hole behind.
 */
interface InOrder<R> {
  readonly done: readonly R[];
  readonly failure: { readonly error: unknown } | null;
}

interface Line<T extends Turn> {
  readonly lane: Lane;
  waiting: T[];
  /** Whether somebody is going through it. */
  isServed: boolean;
}

export function createTurns<T extends Turn>(options: TurnsOptions<T>): Turns<T> {
  const { store, begin, stopped, write, failed } = options;
  const lines = new Map<string, Line<T>>();

  async function serve(line: Line<T>): Promise<void> {
    const { lane } = line;
    while (line.waiting.length > 0 && !stopped()) {
      const open = await store.openNonces(lane.chain, lane.signer);
      const turns = line.waiting.splice(0, Math.max(0, lane.mostOpen - open.length));
      if (turns.length === 0) return;
      const ready = (await Promise.all(turns.map((turn) => prepared(turn)))).flat();
      if (ready.length > 0) await serveTogether(line, ready);
    }
  }

  async function prepared(turn: T): Promise<readonly Prepared<T>[]> {
    const signing = await turn.prepare();
    return signing === null ? [] : [{ turn, signing }];
  }

  async function serveTogether(line: Line<T>, ready: readonly Prepared<T>[]): Promise<void> {
    const { lane } = line;
    let end: InOrder<() => Promise<void>>;
    try {
      end = await store.withSigner(lane.chain, lane.signer, async () => {
        const [open, used] = await Promise.all([store.openNonces(lane.chain, lane.signer), lane.nonce()]);
        const nonces = freeNonces(used, open, Math.max(0, lane.mostOpen - open.length));
        const signed = await signInOrder(ready, nonces);
        const written = await writeInOrder(signed.done);
        return { done: written.done, failure: written.failure ?? signed.failure };
      });
    } catch (error) {
      if (isFatal(error)) throw error;
      // The key is busy, or its chain can't be asked: no fault of any of them.
      for (const { turn } of ready) await failed(turn, error);
      return;
    }
    for (const goOn of end.done) begin(goOn);
    const served = end.done.length + (end.failure === null ? 0 : 1);
    const last = ready[served - 1];
    if (end.failure !== null && last !== undefined) await failed(last.turn, end.failure.error);
    line.waiting.unshift(...ready.slice(served).map(({ turn }) => turn));
  }

  async function writeInOrder(signed: readonly Signed<T>[]): Promise<InOrder<() => Promise<void>>> {
    if (signed.length === 0) return { done: [], failure: null };
    try {
      return { done: await write(signed), failure: null };
    } catch (error) {
      if (isFatal(error)) throw error;
      if (signed.length === 1) return { done: [], failure: { error } };
    }
    // One of them can't be written: the others need not suffer for it, up to the hole that it leaves.
    const done: (() => Promise<void>)[] = [];
    for (const one of signed) {
      const { done: more, failure } = await writeInOrder([one]);
      if (failure !== null) return { done, failure };
      done.push(...more);
    }
    return { done, failure: null };
  }

  return {
    enter(lane, turn) {
      const line = lines.get(lane.chain) ?? { lane, waiting: [], isServed: false };
      lines.set(lane.chain, line);
      if (line.waiting.length >= MOST_IN_LINE) return false;
      line.waiting.push(turn);
      return true;
    },
    look() {
      for (const line of lines.values()) {
        if (line.isServed || line.waiting.length === 0) continue;
        line.isServed = true;
        begin(() =>
          serve(line).finally(() => {
            line.isServed = false;
          }),
        );
      }
    },
    empty() {
      const all = [...lines.values()].flatMap(({ waiting }) => waiting.splice(0));
      return all.map(({ row: { state } }) => keyOf(state));
    },
  };
}

/** Signs with as many nonces as there are. */
async function signInOrder<T extends Turn>(
  ready: readonly Prepared<T>[],
  nonces: readonly number[],
): Promise<InOrder<Signed<T>>> {
  const results = await Promise.allSettled(
    nonces.slice(0, ready.length).map(async (nonce, index) => {
      const entry = ready[index] as Prepared<T>;
      return { ...entry, transaction: await entry.signing.sign(nonce) };
    }),
  );
  const done: Signed<T>[] = [];
  for (const result of results) {
    if (result.status === "rejected") return { done, failure: { error: result.reason as unknown } };
    done.push(result.value);
  }
  return { done, failure: null };
}
