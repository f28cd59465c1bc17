/** What is known of something that is read from elsewhere. */
export interface Reading<T> {
  /** The newest value; it stays while a newer one is read, and when that fails. */
  readonly value: T | undefined;
  /** Why the newest attempt gave nothing; null when it did not fail. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** When the value was read, in milliseconds of Unix time. */
  readonly readAt: number | null;
}

/** Something that is read from elsewhere for as long as somebody looks at it. */
export interface Resource<T> {
  /** The same object until something changes. */
  readonly snapshot: () => Reading<T>;
  /** Reads at once for the first who looks, then again and again. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Reads now; a reading under way is given up. */
  readonly reload: () => void;
}

/** How a resource is read. */
export interface ResourceOptions<T> {
  readonly load: (signal: AbortSignal) => Promise<T>;
  /** Milliseconds between the end of one reading and the next; never when null. */
  readonly every?: number | null;
  /** Whether anybody can see it; a hidden page asks nobody. */
  readonly isVisible?: () => boolean;
}

/** After a failure the next reading waits this many times longer, up to {@link LONGEST_WAIT}. */
const BACK_OFF = 2;
const LONGEST_WAIT = 60_000;

/** Makes a resource. Nothing is read before somebody subscribes. */
export function createResource<T>({
  load,
  every = null,
  isVisible = () => true,
}: ResourceOptions<T>): Resource<T> {
  let reading: Reading<T> = { value: undefined, error: null, isLoading: true, readAt: null };
  const listeners = new Set<() => void>();
  let current: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const become = (next: Reading<T>): void => {
    reading = next;
    for (const listener of listeners) listener();
  };
  const schedule = (): void => {
    clearTimeout(timer);
    if (every === null || listeners.size === 0) return;
    timer = setTimeout(tick, Math.min(every * BACK_OFF ** failures, Math.max(every, LONGEST_WAIT)));
  };
  const tick = (): void => {
    if (isVisible()) void read();
    else schedule();
  };
  const read = async (): Promise<void> => {
    clearTimeout(timer);
    current?.abort();
    const mine = new AbortController();
    current = mine;
    if (!reading.isLoading) become({ ...reading, isLoading: true });
    try {
      const value = await load(mine.signal);
      if (mine.signal.aborted) return;
      failures = 0;
      become({ value, error: null, isLoading: false, readAt: Date.now() });
    } catch (error) {
      if (mine.signal.aborted) return;
      failures += 1;
      become({ ...reading, error, isLoading: false });
    }
    schedule();
  };

  return {
    snapshot: () => reading,
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) void read();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        current?.abort();
      };
    },
    reload: () => void read(),
  };
}
