/** A piece of work that is done again and again, never twice at the same time. */
export interface Loop {
  /** Do it now instead of at the next turn. */
  wake(): void;
  /** Resolves when the turn under way has ended; no other one begins. */
  stop(): Promise<void>;
}

/**
 * Repeats `turn`.
 *
 * @param turn resolves to the milliseconds until the next one. When it rejects, the loop ends and `failed` is told.
 */
export function startLoop(turn: () => Promise<number>, failed: (error: unknown) => void): Loop {
  let stopped = false;
  let woken = false;
  let interrupt: (() => void) | null = null;

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const ended = (async () => {
    while (!stopped) {
      woken = false;
      const milliseconds = await turn();
      // A wake-up during the turn may be about something that the turn had already looked at.
      if (!stopped && !woken) await pause(milliseconds);
      interrupt = null;
    }
  })().catch((error: unknown) => {
    failed(error);
  });

  return {
    wake() {
      woken = true;
      interrupt?.();
    },
    async stop() {
      stopped = true;
      interrupt?.();
      await ended;
    },
  };
}
