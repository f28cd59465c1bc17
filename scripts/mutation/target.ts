import type { Entry, Journal } from "./journal.ts";
import type { Mutant } from "./mutant.ts";

/** Finds out whether the tests notice a mutant; one mutant at a time. */
export type Lane = (mutant: Mutant) => Promise<Entry>;

/** Contracts of one kind, with their mutants and their tests. */
export interface Target {
  /** Where outcomes are kept when nothing else is said. */
  readonly journal: string;
  /** Every mutant, in order. */
  mutants(): Promise<Mutant[]>;
  /**
   * Runs every test on the unchanged contracts.
   *
   * @param jobs how many lanes there shall be
   * @throws when a test fails
   */
  prepare(journal: Journal, jobs: number): Promise<Lane[]>;
  /** What an earlier run found out, if everything that it rests on is still the same. */
  recall(mutant: Mutant): Entry | undefined;
  /** Runs the tests on the unchanged contracts again. @throws when one fails: then no outcome is worth anything */
  conclude(): Promise<void>;
  /** Why a mutant that no test notices changes nothing, when somebody has written that down. */
  reasonFor(mutant: Mutant): string | undefined;
  /** Stops what runs and removes what was made. */
  close(): void;
}
