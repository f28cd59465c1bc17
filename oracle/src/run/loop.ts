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
  return new RunningLoop(turn, failed);
}

class RunningLoop implements Loop {
  readonly #ended: Promise<void>;
  #stopped = false;
  /** A wake-up during a turn may be about something that the turn had already looked at, so it counts afterwards. */
  #woken = false;
  #endPause: () => void = () => undefined;

  constructor(turn: () => Promise<number>, failed: (error: unknown) => void) {
    this.#ended = this.#repeat(turn).catch(failed);
  }

  wake(): void {
    this.#woken = true;
    this.#endPause();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#endPause();
    await this.#ended;
  }

  async #repeat(turn: () => Promise<number>): Promise<void> {
    while (!this.#stopped) {
      this.#woken = false;
      await this.#pause(await turn());
    }
  }

  #pause(milliseconds: number): Promise<void> {
    if (this.#stopped || this.#woken) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
