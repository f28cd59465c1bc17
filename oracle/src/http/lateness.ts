/** Milliseconds between two looks at the clock. */
const EVERY = 50;

/**
 * How late the event loop is, in milliseconds: work that waits, the bridge's own included, waits that long.
 *
 * @param now a clock that never goes back, in milliseconds.
 */
export function watchLateness(now: () => number): () => number {
  let due = now() + EVERY;
  setInterval(() => {
    due = now() + EVERY;
  }, EVERY).unref();
  return () => Math.max(0, now() - due);
}
