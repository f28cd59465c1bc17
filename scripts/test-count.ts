import { stripVTControlCharacters } from "node:util";

export interface Count {
  passed: number;
  failed: number;
}

/**
 * Counts the tests of one suite from what its runner printed ("12 passing", "1 failing", "2 pending").
 * A pending test is one that did not run, so it counts as failed; so does a suite that ended badly
 * without naming a failing test, and one that ran no test at all.
 */
export function countTests(output: string, exitCode: number): Count {
  const text = stripVTControlCharacters(output);
  const sum = (word: string): number =>
    [...text.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\b`, "gm"))].reduce(
      (total, [, digits]) => total + Number(digits),
      0,
    );
  const passed = sum("passing");
  const failed = sum("failing") + sum("pending");
  const endedBadly = exitCode !== 0 || passed === 0;
  return { passed, failed: failed === 0 && endedBadly ? 1 : failed };
}
