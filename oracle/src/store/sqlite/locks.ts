import type { Locks } from "../sql/database.ts";
import { createMutexes } from "../mutexes.ts";

/** Locks within the only process that has the file. */
export function memoryLocks(): Locks {
  const mutexes = createMutexes();
  return {
    hold: (name, work) => mutexes.run(name, work),
    keep: () => Promise.resolve(true),
  };
}
