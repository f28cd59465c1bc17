import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Basis } from "../basis.ts";
import type { Journal } from "../journal.ts";
import type { Mutant } from "../mutant.ts";
import type { Lane, Target } from "../target.ts";
import { Bench } from "./bench.ts";
import { Campaign } from "./campaign.ts";
import { CONTRACTS, coverageOf, type Coverage } from "./coverage.ts";
import { EQUIVALENT, isOf } from "./equivalent.ts";
import { namedMutants } from "./named.ts";
import { Python, type PythonMutant } from "./python.ts";

/** What every outcome rests on beside contract and tests: the SDK that runs them. */
const SDK = "localnet/src/genlayer/sdk/genlayer/*.py";
const SECONDS_OF_ALL = 300;

/** The Intelligent Contracts. */
export function genlayerTarget(root: string): Target {
  let python: Python | undefined;
  let campaign: Campaign | undefined;
  let coverage: Coverage | undefined;
  const benches: Bench[] = [];
  const started = async (): Promise<Python> => (python ??= await Python.start());
  return {
    journal: join(root, ".assay/mutation-genlayer.jsonl"),

    async mutants() {
      const parser = await started();
      const sources = CONTRACTS.map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));
      return [
        ...sources.flatMap(({ file, source }) =>
          namedMutants(file, source).map((mutant) => ({
            ...mutant,
            reachedBy: parser.reachedByLine(source, mutant.line),
          })),
        ),
        ...sources.flatMap(({ file, source }) => parser.mutantsOf(file, source)),
      ];
    },

    async prepare(journal: Journal, jobs: number): Promise<Lane[]> {
      const parser = await started();
      const basis = new Basis(root, globSync(SDK, { cwd: root }).sort());
      const first = new Bench(root);
      benches.push(first);
      coverage = await coverageOf(root, parser, first, basis, join(root, ".assay/mutation-coverage.json"));
      const opened = new Campaign(root, parser, journal, coverage, basis);
      campaign = opened;
      while (benches.length < jobs) benches.push(new Bench(root));
      return benches.map((bench) => (mutant: Mutant) => opened.decide(mutant as PythonMutant, bench));
    },

    recall: (mutant) => campaign?.recall(mutant as PythonMutant),

    async conclude() {
      const files = Map.groupBy(coverage?.tests ?? [], ({ file }) => file);
      const batches = [...files].map(([file, tests]) => ({
        file,
        tests: tests.map(({ title }) => title),
        loopSeconds: SECONDS_OF_ALL,
      }));
      for (const bench of benches) {
        const { outcome, test } = await bench.run([], batches);
        if (outcome !== "passed") {
          throw new Error(
            `"${test ?? ""}" fails on the unchanged contract after the mutants: believe no outcome`,
          );
        }
      }
    },

    reasonFor: (mutant) => EQUIVALENT.find((item) => isOf(item, mutant as PythonMutant))?.reason,
    close: () => benches.splice(0).forEach((bench) => bench.close()),
  };
}
