import type { Effect } from "../core/index.ts";

/**
 * A place between two effects at which a process can die. `done`: the effect happened, nothing of it is written;
 * `committed`: it is written, with those that were done since.
 */
export type Boundary = "ingest.read" | "ingest.committed" | `${Task}.${"done" | "committed"}`;

/** What is worked on for one submission. */
export type Task = Effect | "closeWindow";

/** Called at every boundary; whatever it throws stops the operator at once, without another write. */
export type BoundaryHook = (boundary: Boundary) => void | Promise<void>;

/** A boundary hook stopped the operator. */
export class BoundaryError extends Error {
  override name = "BoundaryError";

  constructor(boundary: Boundary, options: ErrorOptions) {
    super(`stopped at ${boundary}`, options);
  }
}

/** Turns whatever a hook throws into the one error that nothing retries. */
export function guardBoundary(hook: BoundaryHook): BoundaryHook {
  return async (boundary) => {
    try {
      await hook(boundary);
    } catch (error) {
      throw new BoundaryError(boundary, { cause: error });
    }
  };
}
