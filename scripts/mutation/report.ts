import { describe } from "./mutant.ts";
import type { Score } from "./score.ts";

/** Writes a result for people. */
export function print(score: Score): void {
  const { survivors, timedOut, documented, wronglyDocumented, named } = score;
  for (const mutant of timedOut) console.log(`never ended: ${describe(mutant)}`);
  for (const { mutant, reason } of documented) console.log(`changes nothing, ${reason}: ${describe(mutant)}`);
  for (const mutant of wronglyDocumented) {
    console.log(`is written down as changing nothing, and a test noticed it: ${describe(mutant)}`);
  }
  for (const mutant of survivors) console.log(`survived: ${describe(mutant)}`);
  if (named.tested > 0) console.log(`${named.killed} of ${named.tested} named mutants killed`);
  console.log(
    `${score.killed} of ${score.tested} mutants killed (${score.percent.toFixed(1)} %), ${timedOut.length} of them by never ending; ` +
      `${score.equivalent} compile to the same code, ${score.invalid} don't compile, ${documented.length} change nothing for a reason that is written down`,
  );
}
