import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Basis } from "../basis.ts";
import type { Entry, Journal } from "../journal.ts";
import { applyMutant, keyOf } from "../mutant.ts";
import { testFiles, type Bench } from "./bench.ts";
import type { Coverage, KnownTest } from "./coverage.ts";
import type { Python, PythonMutant } from "./python.ts";
import type { Batch } from "./tester.ts";

/** So many tests run alone, those first that most often notice; the rest by files, which takes less time for each. */
const ALONE = 8;
/** A run that took so many times what the test takes on the unchanged contract, and at least this, has no end. */
const LOOP_FACTOR = 10;
const LOOP_SECONDS = 5;

/** How often a test was tried on the mutants of one function, and how often it noticed. */
interface Record {
  tries: number;
  kills: number;
}

/** Decides mutants: runs the tests that reach them until one notices. */
export class Campaign {
  readonly #root: string;
  readonly #python: Python;
  readonly #journal: Journal;
  readonly #coverage: Coverage;
  readonly #basis: Basis;
  readonly #records = new Map<string, Record>();
  readonly #sources = new Map<string, string>();

  constructor(root: string, python: Python, journal: Journal, coverage: Coverage, basis: Basis) {
    this.#root = root;
    this.#python = python;
    this.#journal = journal;
    this.#coverage = coverage;
    this.#basis = basis;
  }

  /** What an earlier run found out, if everything that it rests on is still the same. */
  recall(mutant: PythonMutant): Entry | undefined {
    const entry = this.#journal.find(keyOf(mutant));
    return entry?.basis === this.#basisOf(mutant, entry?.outcome, entry?.file) ? entry : undefined;
  }

  /** Finds out whether the tests notice a mutant. */
  async decide(mutant: PythonMutant, bench: Bench): Promise<Entry> {
    const found = await this.#try(mutant, bench);
    const entry = {
      mutant: keyOf(mutant),
      basis: this.#basisOf(mutant, found.outcome, found.file),
      ...found,
    };
    this.#journal.add(entry);
    return entry;
  }

  async #try(mutant: PythonMutant, bench: Bench): Promise<Pick<Entry, "outcome" | "file" | "test">> {
    const original = this.#sourceOf(mutant.file);
    const code = this.#python.compared(original, mutant);
    if (code === "invalid") return { outcome: "invalid" };
    if (code === "same") return { outcome: "equivalent" };
    const changed = applyMutant(original, mutant);
    const tests = this.#testsFor(mutant);
    const batches = [...tests.slice(0, ALONE).map((test) => [test]), ...byFile(tests.slice(ALONE))];
    const result = await bench.run([{ original, changed }], batches.map(batchOf));
    for (const test of tests) this.#recordOf(mutant, test).tries++;
    if (result.outcome === "passed" || result.file === undefined) return { outcome: "survived" };
    const noticed = tests.find(({ file, title }) => file === result.file && title === result.test);
    if (noticed !== undefined) this.#recordOf(mutant, noticed).kills++;
    const outcome = result.outcome === "looped" ? "timed out" : "killed";
    return { outcome, file: result.file, ...(result.test === undefined ? {} : { test: result.test }) };
  }

  /** The tests that reach a mutant, those first that notice most for their time. */
  #testsFor(mutant: PythonMutant): KnownTest[] {
    const worth = (test: KnownTest): number => {
      const { tries, kills } = this.#recordOf(mutant, test);
      return (kills + 0.3) / (tries + 1) / (test.cpuSeconds + 0.02);
    };
    return this.#coverage
      .reaching(mutant)
      .map((test) => ({ test, worth: worth(test) }))
      .sort((one, other) => other.worth - one.worth)
      .map(({ test }) => test);
  }

  #recordOf(mutant: PythonMutant, test: KnownTest): Record {
    const key = `${mutant.file} ${mutant.scope} ${test.file} ${test.title}`;
    const record = this.#records.get(key) ?? { tries: 0, kills: 0 };
    this.#records.set(key, record);
    return record;
  }

  #sourceOf(file: string): string {
    const text = this.#sources.get(file) ?? readFileSync(join(this.#root, file), "utf8");
    this.#sources.set(file, text);
    return text;
  }

  /** A survivor rests on every test, a killed mutant on the one that noticed, all of them on the contract. */
  #basisOf(mutant: PythonMutant, outcome: Entry["outcome"] | undefined, file: string | undefined): string {
    const tests = outcome === "survived" ? testFiles(this.#root) : file === undefined ? [] : [file];
    return this.#basis.hashOf([mutant.file], tests);
  }
}

function byFile(tests: readonly KnownTest[]): KnownTest[][] {
  return [...Map.groupBy(tests, ({ file }) => file).values()];
}

function batchOf(tests: readonly KnownTest[]): Batch {
  const slowest = Math.max(...tests.map(({ cpuSeconds }) => cpuSeconds));
  return {
    file: tests[0]?.file ?? "",
    tests: tests.map(({ title }) => title),
    loopSeconds: Math.max(LOOP_SECONDS, LOOP_FACTOR * slowest),
  };
}
