/** Lets a bounded number of things be done at once; whoever comes when too many wait is turned away. */
export interface Gate {
  /** @returns undefined when there was no room. */
  pass<T>(work: () => Promise<T>): Promise<T | undefined>;
}

/**
 * A gate in front of something that must not be overrun.
 *
 * @param atOnce how many may be inside.
 * @param waiting how many may wait.
 */
export function createGate(atOnce: number, waiting: number): Gate {
  let inside = 0;
  const queue: (() => void)[] = [];
  return {
    async pass(work) {
      if (inside >= atOnce) {
        if (queue.length >= waiting) return undefined;
        await new Promise<void>((resolve) => queue.push(resolve));
      }
      inside++;
      try {
        return await work();
      } finally {
        inside--;
        queue.shift()?.();
      }
    },
  };
}
