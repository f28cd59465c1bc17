/**
 * Mutation testing of the contracts: makes one small change at a time and sees whether the tests notice.
 *
 *     npm run test:mutation                     every mutant of contracts-evm
 *     npm run test:mutation -- --resume         goes on with a run that was interrupted, or after tests changed
 *     npm run test:mutation -- --sample 40      that many, spread evenly
 *     npm run test:mutation -- --file Terms     only files whose path contains this
 *     npm run test:mutation -- --list           print the mutants and run nothing
 *     npm run test:mutation -- --json           the result as one object on standard output
 *     npm run test:mutation -- --jobs 1         how many side by side; as many as there are cores
 *     npm run test:mutation -- --journal FILE   where outcomes are kept (.assay/mutation.jsonl)
 *
 * Works on copies in temporary folders. Exits 1 below 95 %.
 */
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Campaign } from "./campaign.ts";
import { Journal, type Entry } from "./journal.ts";
import { describe, mutantsOf, type Mutant } from "./mutate.ts";
import { scoreOf, TARGET_PERCENT } from "./score.ts";
import { Workshop } from "./workshop.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const { values } = parseArgs({
  options: {
    sample: { type: "string" },
    file: { type: "string" },
    jobs: { type: "string" },
    journal: { type: "string", default: join(ROOT, ".assay/mutation.jsonl") },
    list: { type: "boolean" },
    resume: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});

/** A positive whole number, or an end with a sentence. */
function count(option: "sample" | "jobs", fallback: number): number {
  const text = values[option];
  if (text === undefined) return fallback;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  console.error(`--${option} takes a positive whole number, not "${text}"`);
  process.exit(2);
}

if (values.help) {
  console.log(
    "Usage: npm run test:mutation [-- --resume --sample N --file TEXT --list --json --jobs N --journal FILE]",
  );
  process.exit(0);
}

/** Interfaces and types hold nothing that runs. */
const files = globSync("contracts-evm/**/*.sol", { cwd: ROOT })
  .filter((file) => !/\/(interfaces|types)\//.test(file) && file.includes(values.file ?? ""))
  .sort();
const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, file), "utf8")));
const step = Math.max(1, all.length / count("sample", all.length || 1));
const mutants = all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));

if (values.list) {
  for (const mutant of mutants) console.log(describe(mutant));
  console.log(`${mutants.length} of ${all.length} mutants`);
  process.exit(0);
}

const workshops = [Workshop.build(ROOT)];
const close = (): void => workshops.splice(0).forEach((workshop) => workshop.close());
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    close();
    console.error("interrupted; --resume goes on from here");
    process.exit(1);
  });
}

try {
  const pristine = workshops[0] as Workshop;
  const campaign = new Campaign(pristine, new Journal(values.journal, values.resume ?? false));
  console.error(`${mutants.length} of ${all.length} mutants; running every test on the unchanged contracts`);
  await campaign.prepare();

  const entries = new Map<Mutant, Entry>();
  for (const mutant of mutants) {
    const known = campaign.recall(mutant);
    if (known) entries.set(mutant, known);
  }
  if (entries.size > 0) console.error(`${entries.size} are known from the journal`);
  const open = mutants.filter((mutant) => !entries.has(mutant)).values();
  const lane = async (workshop: Workshop): Promise<void> => {
    for (const mutant of open) {
      const entry = await campaign.decide(mutant, workshop);
      entries.set(mutant, entry);
      const { file, line, operator } = mutant;
      console.error(
        `${entries.size}/${mutants.length} ${entry.outcome} ${file}:${line} ${operator}${entry.test ? ` (${entry.test})` : ""}`,
      );
    }
  };
  for (let job = 0; job < count("jobs", availableParallelism()); job++) workshops.push(pristine.clone());
  await Promise.all(workshops.slice(1).map(lane));

  const score = scoreOf(mutants.map((mutant) => ({ mutant, entry: entries.get(mutant) as Entry })));
  if (values.json) {
    console.log(JSON.stringify(score));
  } else {
    for (const mutant of score.survivors) console.log(describe(mutant));
    console.log(
      `${score.killed} of ${score.tested} mutants killed (${score.percent.toFixed(1)} %), ${score.timedOut} of them by never ending; ` +
        `${score.equivalent} compile to the same code, ${score.invalid} don't compile`,
    );
  }
  process.exitCode = score.percent < TARGET_PERCENT ? 1 : 0;
} finally {
  close();
}
