import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Basis } from "../basis.ts";
import { testFiles, type Bench } from "./bench.ts";
import type { Python, PythonMutant } from "./python.ts";
import type { Trace } from "./tracer.ts";

/** The contracts that have mutants. */
export const CONTRACTS = ["contracts-genlayer/agreement_verifier.py", "contracts-genlayer/responsibility.py"];

/** A test, what it takes on the unchanged contracts, and where it has been in each of them. */
export interface KnownTest extends Trace {
  file: string;
}

/** Which tests run which statements. */
export class Coverage {
  readonly #tests: readonly KnownTest[];
  readonly #marks: ReadonlyMap<KnownTest, ReadonlySet<number>[]>;
  readonly #implied: ReadonlyMap<number, number>[];

  /** @param implied for each contract, statements that print nothing and those that stand for them */
  constructor(tests: readonly KnownTest[], implied: ReadonlyMap<number, number>[]) {
    this.#tests = tests;
    this.#marks = new Map(tests.map((test) => [test, test.marks.map((marks) => new Set(marks))]));
    this.#implied = implied;
  }

  /** The tests that run a statement which a mutant needs; those that run its contract when that can't be told. */
  reaching({ file, reachedBy }: PythonMutant): KnownTest[] {
    const place = CONTRACTS.indexOf(file);
    const needed = reachedBy.map((number) => this.#implied[place]?.get(number) ?? number);
    return this.#tests.filter((test) => {
      const been = this.#marks.get(test)?.[place] ?? new Set<number>();
      return needed.length === 0 ? been.size > 0 : needed.some((number) => been.has(number));
    });
  }

  /** Every test. */
  get tests(): readonly KnownTest[] {
    return this.#tests;
  }
}

interface Stored {
  basis: string;
  tests: KnownTest[];
}

/**
 * Runs every test alone on contracts that say where it has been, or takes what an earlier run found when nothing has
 * changed since.
 *
 * @throws when a test fails
 */
export async function coverageOf(
  root: string,
  python: Python,
  bench: Bench,
  basis: Basis,
  path: string,
): Promise<Coverage> {
  const originals = CONTRACTS.map((file) => readFileSync(join(root, file), "utf8"));
  const files = testFiles(root);
  const hash = basis.hashOf(CONTRACTS, files);
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Stored) : undefined;
  const tests: KnownTest[] = known?.basis === hash ? known.tests : [];
  if (tests.length === 0) {
    const changes = originals.map((original) => ({ original, changed: python.marked(original) }));
    for (const file of files) {
      const traces = await bench.trace(changes, file);
      tests.push(...traces.map((trace) => ({ file, ...trace })));
      const seconds = traces.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
      console.error(`${file}: ${traces.length} tests, ${seconds.toFixed(1)} s if each ran alone`);
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ basis: hash, tests } satisfies Stored));
  }
  return new Coverage(
    tests,
    originals.map((original) => python.implied(original)),
  );
}
