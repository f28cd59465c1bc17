import type { Stack } from "../local/stack.ts";

/** Tells one line to whoever watches. */
export type Say = (line: string) => void;

/** What a demonstration shows, and how its option is told. */
export interface Act {
  /** For `--help`. */
  readonly story: string;
  /** People beside buyer and seller that it needs. */
  readonly guests: number;
  /**
   * Plays it on a stack that is up.
   *
   * @returns what was shown, for `--json`, and whether it came out as it had to.
   */
  play(stack: Stack, say: Say): Promise<{ readonly shown: unknown; readonly isGood: boolean }>;
}
