/** `npm run test:faults -- --seeds N [--seed S] [--from F] [--json] [--verbose]` */
import { parseArgs } from "node:util";
import { NOTABLE } from "./notable.ts";
import { planOf } from "./plan.ts";
import { simulate } from "./simulation.ts";
import { judge, type Judgement } from "./verdict.ts";

const USAGE = `Usage: npm run test:faults -- [options]

Runs the operators against simulated chains under faults that a seed chooses, and compares the end with the chain.

  --seeds N     run N seeds (default 50), after the notable ones
  --from F      begin with seed F (default 1)
  --seed S      run this one seed
  --verbose     print what happens in it
  --json        print one JSON object at the end
`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "50" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    verbose: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function count(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`--${name} must be a whole number, not ${text}\n\n${USAGE}`);
  process.exit(1);
}

/** Without those that run anyway. */
function range(from: number, length: number): readonly number[] {
  return Array.from({ length }, (_none, index) => from + index).filter((seed) => !NOTABLE.includes(seed));
}

if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const seeds =
  values.seed === undefined
    ? [...NOTABLE, ...range(count("from", values.from), count("seeds", values.seeds))]
    : [count("seed", values.seed)];

const total = { seeds: 0, agreements: 0, settled: 0, restarts: 0, lost: 0, duplicated: 0, wrong: 0 };
const failed: number[] = [];
const from = process.hrtime.bigint();

for (const seed of seeds) {
  const plan = planOf(seed);
  const ending = await simulate(plan, values.verbose ? "debug" : "silent");
  const judgement = judge(ending);
  if (values.verbose) process.stderr.write(`${ending.log.join("\n")}\n`);
  add(judgement);
  if (total.seeds % 20 === 0) process.stderr.write(`${total.seeds} seeds, ${failed.length} failed\n`);
}

const seconds = Number(process.hrtime.bigint() - from) / 1e9;
if (values.json) process.stdout.write(`${JSON.stringify({ ...total, failed, seconds })}\n`);
else
  // The last lines are those of a test runner: each seed is a test.
  process.stdout.write(
    `${total.seeds} seeds, ${total.agreements} agreements, ${total.settled} settled, ${total.restarts} restarts: ` +
      `${total.lost} lost, ${total.duplicated} duplicated, ${total.wrong} wrong\n\n` +
      `  ${total.seeds - failed.length} passing (${seconds.toFixed(0)}s)\n` +
      (failed.length === 0 ? "" : `  ${failed.length} failing\n`),
  );
process.exit(failed.length === 0 ? 0 : 1);

function add({ seed, agreements, settled, restarts, lost, duplicated, wrong }: Judgement): void {
  total.seeds++;
  total.agreements += agreements;
  total.settled += settled;
  total.restarts += restarts;
  total.lost += lost.length;
  total.duplicated += duplicated.length;
  total.wrong += wrong.length;
  const problems = [...lost, ...duplicated, ...wrong];
  if (problems.length === 0) return;
  failed.push(seed);
  process.stderr.write(
    `seed ${seed}: ${problems.join("; ")}\n  again: npm run test:faults -- --seed ${seed} --verbose\n`,
  );
}
