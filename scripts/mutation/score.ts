import type { Entry, Outcome } from "./journal.ts";
import { isNamed, type Mutant } from "./mutant.ts";

/** Fewer than this many of a hundred tell the tests apart from good ones. */
export const TARGET_PERCENT = 95;

/** A mutant, what became of it, and why it changes nothing when somebody has written that down. */
export interface Result {
  mutant: Mutant;
  entry: Entry;
  reason?: string | undefined;
}

/** The result of a run. */
export interface Score {
  /** Mutants that run and differ. */
  tested: number;
  /** Those that a test noticed. */
  killed: number;
  /** Those of them that made a test run for ever. */
  timedOut: Mutant[];
  /** Compiled to the same code as the original; not counted. */
  equivalent: number;
  /** Not compiled at all; not counted. */
  invalid: number;
  /** Survivors of which it is written down why they change nothing; not counted. */
  documented: { mutant: Mutant; reason: string }[];
  /** Mutants that are written down as changing nothing, and that a test noticed all the same. */
  wronglyDocumented: Mutant[];
  /** Mutants that have a name, and those of them that a test noticed. */
  named: { tested: number; killed: number };
  /** Killed of tested, in percent; 100 when there was nothing to test. */
  percent: number;
  /** Those that no test noticed, with their change. */
  survivors: Mutant[];
}

/** Adds the outcomes up. */
export function scoreOf(results: readonly Result[]): Score {
  const those = (...outcomes: Outcome[]) => results.filter(({ entry }) => outcomes.includes(entry.outcome));
  const noticed = those("killed", "timed out");
  const survived = those("survived");
  const survivors = survived.filter(({ reason }) => reason === undefined).map(({ mutant }) => mutant);
  const killed = noticed.length;
  const tested = killed + survivors.length;
  return {
    tested,
    killed,
    timedOut: those("timed out").map(({ mutant }) => mutant),
    equivalent: those("equivalent").length,
    invalid: those("invalid").length,
    documented: survived.flatMap(({ mutant, reason }) => (reason === undefined ? [] : [{ mutant, reason }])),
    wronglyDocumented: noticed.filter(({ reason }) => reason !== undefined).map(({ mutant }) => mutant),
    named: {
      tested: results.filter(({ mutant }) => isNamed(mutant)).length,
      killed: noticed.filter(({ mutant }) => isNamed(mutant)).length,
    },
    percent: tested === 0 ? 100 : (100 * killed) / tested,
    survivors,
  };
}

/** Whether the tests are good enough: the score, every named mutant killed, nothing written down that isn't so. */
export const isGood = ({ percent, named, wronglyDocumented }: Score): boolean =>
  percent >= TARGET_PERCENT && named.killed === named.tested && wronglyDocumented.length === 0;
