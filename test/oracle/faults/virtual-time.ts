import { AsyncLocalStorage } from "node:async_hooks";

/** Somebody whose timers and requests end with it, as a process's do. */
export interface Owner {
  readonly name: string;
  alive: boolean;
}

/** Answers requests in place of the network. */
export type Fetcher = (url: URL, init: RequestInit | undefined, from: Owner | null) => Promise<Response>;

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  readonly owner: Owner | null;
  live: boolean;
}

/**
 * Time that passes only when nothing is left to do now: timers, the wall clock, the monotonic clock and requests of
 * everything in this process, until it is uninstalled. The code under test is the one that runs in production.
 */
export class VirtualTime {
  readonly #heap: Timer[] = [];
  readonly #owners = new AsyncLocalStorage<Owner>();
  readonly #deadlines = new WeakMap<AbortSignal, number>();
  readonly #saved: readonly (() => void)[];
  readonly #nextTurn = globalThis.setImmediate;
  #now: number;
  #order = 0;
  /** Work outside virtual time that has to end before time may pass. */
  #outside = 0;
  /** How to fail the requests that get no answer. */
  readonly #unanswered: ((error: Error) => void)[] = [];

  constructor(start: number, random: () => number, fetcher: Fetcher) {
    this.#now = start;
    this.#saved = [
      replace(globalThis, "setTimeout", (run: () => void, after?: number) => this.#set(run, after)),
      replace(globalThis, "clearTimeout", clear),
      replace(globalThis, "setInterval", (run: () => void, every?: number) => this.#repeat(run, every ?? 1)),
      replace(globalThis, "clearInterval", clear),
      replace(globalThis, "fetch", (input: string | URL, init?: RequestInit) =>
        this.#fetch(fetcher, new URL(input), init),
      ),
      replace(Date, "now", () => Math.floor(this.#now)),
      replace(performance, "now", () => this.#now - start),
      replace(Math, "random", random),
      // genlayer-js prints what fails, as the operator's own program knows.
      replace(console, "error", unheard),
      replace(AbortSignal, "timeout", (after: number) => this.#deadline(after)),
    ];
  }

  get now(): number {
    return this.#now;
  }

  /** Whose code is running; null for the world's own. */
  get owner(): Owner | null {
    return this.#owners.getStore() ?? null;
  }

  /** Runs code in somebody's name. */
  as<T>(owner: Owner, work: () => T): T {
    return this.#owners.run(owner, work);
  }

  /** Calls back at that time, in nobody's name. */
  at(time: number, run: () => void): void {
    this.#push({ at: Math.max(time, this.#now), run, owner: null });
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#set(resolve, milliseconds));
  }

  /** Waits for work that uses the real event loop; time stands still meanwhile. */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    this.#outside++;
    try {
      return await work();
    } finally {
      this.#outside--;
    }
  }

  /** Lets time pass until `until` says that it is enough. */
  async run(until: () => boolean): Promise<void> {
    await this.#settle();
    while (!until()) {
      const timer = this.#pop();
      if (timer === undefined) throw new Error("nothing is left that could happen");
      if (!timer.live || timer.owner?.alive === false) continue;
      this.#now = Math.max(this.#now, timer.at);
      timer.live = false;
      if (timer.owner === null) timer.run();
      else this.#owners.run(timer.owner, timer.run);
      await this.#settle();
    }
  }

  /** A request that gets no answer while this time lasts. */
  unanswered(): Promise<never> {
    return new Promise((_resolve, reject) => void this.#unanswered.push(reject));
  }

  /**
   * Puts everything back. Requests without an answer fail before, as they do when a network is gone: libraries keep
   * what waits for them in this process, which outlives the one that is simulated.
   */
  async end(): Promise<void> {
    for (const fail of this.#unanswered.splice(0)) fail(new TypeError("fetch failed"));
    await this.#settle();
    for (const restore of this.#saved) restore();
  }

  async #settle(): Promise<void> {
    do await new Promise<void>((resolve) => void this.#nextTurn(resolve));
    while (this.#outside > 0);
  }

  async #fetch(fetcher: Fetcher, url: URL, init: RequestInit | undefined): Promise<Response> {
    const from = this.owner;
    const deadline = init?.signal == null ? undefined : this.#deadlines.get(init.signal);
    const answer = fetcher(url, init, from);
    if (deadline === undefined) return answer;
    let timer: Timer | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = this.#push({
        at: deadline,
        owner: from,
        run: () => {
          reject(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
        },
      });
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      if (timer !== undefined) timer.live = false;
    }
  }

  #deadline(after: number): AbortSignal {
    const { signal } = new AbortController();
    this.#deadlines.set(signal, this.#now + after);
    return signal;
  }

  #set(run: () => void, after = 0): object {
    return handleOf(this.#push({ at: this.#now + Math.max(1, after), run, owner: this.owner }));
  }

  #repeat(run: () => void, every: number): object {
    const { owner } = this;
    const handle = handleOf(this.#push({ at: this.#now + every, owner, run: () => undefined }));
    const next = () => {
      handle.timer = this.#push({
        at: this.#now + every,
        owner,
        run: () => {
          run();
          next();
        },
      });
    };
    handle.timer.live = false;
    next();
    return handle;
  }

  #push(timer: Omit<Timer, "order" | "live">): Timer {
    const entry: Timer = { ...timer, order: this.#order++, live: true };
    const heap = this.#heap;
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (before(heap[parent]!, entry)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = entry;
    return entry;
  }

  #pop(): Timer | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (before(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return top;
  }
}

/** Outside of any world: Node keeps it from the first one on. */
function unheard(): void {
  // Nobody listens.
}

function before(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

function handleOf(timer: Timer) {
  const handle = {
    timer,
    ref: () => handle,
    unref: () => handle,
    hasRef: () => true,
    refresh: () => handle,
  };
  return handle;
}

function clear(handle: { timer: Timer } | undefined): void {
  if (handle?.timer !== undefined) handle.timer.live = false;
}

/** Puts something in the place of a member. Returns how to put it back. */
function replace(holder: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  Object.defineProperty(holder, name, { value, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(holder, name);
    else Object.defineProperty(holder, name, before);
  };
}
