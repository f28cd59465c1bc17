/** The only source of time in the network, so that tests can shift it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Calls `task` once at `at` (Unix milliseconds, as this clock counts) or soon after. Returns how to call it off. */
  at(at: number, task: () => void): () => void;
}

/** A clock that can be moved forward; timers that become due by it run at once. */
export interface ShiftableClock extends Clock {
  /** Moves the clock forward by `milliseconds`. */
  advance(milliseconds: number): void;
}

/** Milliseconds; Node's timers fire at once beyond it. A task that is called too early asks again. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** The machine's clock, plus whatever it was advanced by. */
export function createClock(): ShiftableClock {
  let offset = 0;
  const timers = new Set<{ arm: () => void }>();
  const now = (): number => Date.now() + offset;
  return {
    now,
    at(at, task) {
      let handle: NodeJS.Timeout | undefined;
      const cancel = (): void => {
        clearTimeout(handle);
        timers.delete(timer);
      };
      const timer = {
        arm: (): void => {
          clearTimeout(handle);
          handle = setTimeout(
            () => {
              timers.delete(timer);
              task();
            },
            Math.min(Math.max(0, at - now()), LONGEST_TIMEOUT),
          );
          handle.unref();
        },
      };
      timers.add(timer);
      timer.arm();
      return cancel;
    },
    advance(milliseconds) {
      offset += milliseconds;
      for (const timer of timers) timer.arm();
    },
  };
}
