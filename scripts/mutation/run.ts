/** Mutation testing: makes one small change to the contracts at a time and sees whether the tests notice. */
import { fileURLToPath } from "node:url";
import { evmTarget } from "./evm/target.ts";
import { genlayerTarget } from "./genlayer/target.ts";
import { Journal, type Entry } from "./journal.ts";
import { describe, isNamed, type Mutant } from "./mutant.ts";
import { readOptions } from "./options.ts";
import { print } from "./report.ts";
import { drawn, spread } from "./sample.ts";
import { isGood, scoreOf } from "./score.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const options = readOptions(process.argv.slice(2));
const target = options.target === "evm" ? evmTarget(ROOT) : genlayerTarget(ROOT);
const all = (await target.mutants()).filter(
  (mutant) => mutant.file.includes(options.file) && (!options.named || isNamed(mutant)),
);
const chosen = (): Mutant[] => {
  if (options.sample === undefined) return all;
  return options.seed === undefined ? spread(all, options.sample) : drawn(all, options.sample, options.seed);
};
const mutants = chosen();

if (options.list) {
  const text = [...mutants.map(describe), `${mutants.length} of ${all.length} mutants`, ""].join("\n");
  // A pipe takes only so much at once; what is left would be lost
  await new Promise((written) => process.stdout.write(text, written));
  process.exit(0);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    target.close();
    console.error("interrupted; --resume goes on from here");
    process.exit(1);
  });
}

try {
  const journal = new Journal(options.journal ?? target.journal, options.resume);
  console.error(`${mutants.length} of ${all.length} mutants; running every test on the unchanged contracts`);
  const lanes = await target.prepare(journal, options.jobs);

  const entries = new Map<Mutant, Entry>();
  for (const mutant of mutants) {
    const known = target.recall(mutant);
    if (known) entries.set(mutant, known);
  }
  if (entries.size > 0) console.error(`${entries.size} are known from the journal`);
  const open = mutants.filter((mutant) => !entries.has(mutant));
  const queue = open.values();
  await Promise.all(
    lanes.map(async (decide) => {
      for (const mutant of queue) {
        const entry = await decide(mutant);
        entries.set(mutant, entry);
        const { file, line, operator } = mutant;
        console.error(
          `${entries.size}/${mutants.length} ${entry.outcome} ${file}:${line} ${operator}${entry.test ? ` (${entry.test})` : ""}`,
        );
      }
    }),
  );
  if (open.length > 0) await target.conclude();

  const score = scoreOf(
    mutants.map((mutant) => ({
      mutant,
      entry: entries.get(mutant) as Entry,
      reason: target.reasonFor(mutant),
    })),
  );
  if (options.json) console.log(JSON.stringify(score));
  else print(score);
  process.exitCode = isGood(score) ? 0 : 1;
} finally {
  target.close();
}
