import type { Entry, Outcome } from "./journal.ts";
import type { Mutant } from "./mutate.ts";

/** Fewer than this many of a hundred tell the tests apart from good ones. */
export const TARGET_PERCENT = 95;

/** The result of a run. */
export interface Score {
  /** Mutants that run and differ. */
  tested: number;
  /** Those that a test noticed. */
  killed: number;
  /** Those of them that made a test file run for ever. */
  timedOut: number;
  /** Compiled to the same code as the original; not counted. */
  equivalent: number;
  /** Not compiled at all; not counted. */
  invalid: number;
  /** Killed of tested, in percent; 100 when there was nothing to test. */
  percent: number;
  /** Those that no test noticed, with their change. */
  survivors: Mutant[];
}

/** Adds the outcomes up. */
export function scoreOf(results: readonly { mutant: Mutant; entry: Entry }[]): Score {
  const those = (...outcomes: Outcome[]) => results.filter(({ entry }) => outcomes.includes(entry.outcome));
  const killed = those("killed", "timed out").length;
  const survivors = those("survived").map(({ mutant }) => mutant);
  const tested = killed + survivors.length;
  return {
    tested,
    killed,
    timedOut: those("timed out").length,
    equivalent: those("equivalent").length,
    invalid: those("invalid").length,
    percent: tested === 0 ? 100 : (100 * killed) / tested,
    survivors,
  };
}
