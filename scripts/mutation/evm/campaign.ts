import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Basis } from "../basis.ts";
import { CompileError, Compiler, sameCode, type Bytecodes } from "./compile.ts";
import type { Entry, Journal } from "../journal.ts";
import { applyMutant, keyOf, type Mutant } from "../mutant.ts";
import type { TestResult } from "./tester.ts";
import type { Workshop } from "./workshop.ts";

/** Sources whose contracts the tests deploy. */
const DEPLOYED = ["contracts-evm/*.sol", "test/evm/contracts/*.sol"];

const DECLARED_CONTRACT = /^(?:abstract )?contract (\w+)/gm;

const nameOf = (source: string): string => basename(source, ".sol");

/** The contracts of the tests that a text names. */
export function testContractsIn(text: string, root: string): string[] {
  return globSync("test/evm/contracts/*.sol", { cwd: root }).filter((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(DECLARED_CONTRACT)].some(([, name = ""]) =>
      text.includes(name),
    ),
  );
}

/** How often a test file was tried on the mutants of one source, and how often it noticed. */
interface Record {
  tries: number;
  kills: number;
}

/** A test file to run, and the code to run it on. */
interface Attempt {
  file: string;
  original: Bytecodes;
  mutated: Bytecodes;
}

/** Decides mutants: compiles each, and runs test files until one notices. */
export class Campaign {
  readonly #workshop: Workshop;
  readonly #compiler: Compiler;
  readonly #journal: Journal;
  readonly #deployed: string[];
  readonly #originals = new Map<string, Bytecodes>();
  readonly #basis: Basis;
  /** What each test file takes on the unchanged contracts. */
  readonly #milliseconds = new Map<string, number>();
  /** By source and test file. */
  readonly #records = new Map<string, Record>();

  /** @param workshop unchanged code, which stays unchanged: mutants are tried in its clones */
  constructor(workshop: Workshop, journal: Journal) {
    this.#workshop = workshop;
    this.#compiler = new Compiler(workshop.path);
    this.#journal = journal;
    this.#deployed = globSync(DEPLOYED, { cwd: workshop.path }).sort();
    this.#basis = new Basis(workshop.path, ["hardhat.config.ts"], testContractsIn);
  }

  /** Installs the code that mutants are compared with. @throws when a test file fails on it */
  async prepare(): Promise<void> {
    this.#workshop.install(this.#compiler.compile(this.#deployed));
    for (const file of this.#workshop.tests()) {
      const started = performance.now();
      const result = await this.#workshop.run({ file });
      this.#milliseconds.set(file, performance.now() - started);
      if (result.outcome !== "passed") {
        throw new Error(`${file} doesn't pass without any mutant: ${JSON.stringify(result)}`);
      }
    }
  }

  /** What an earlier run found out, if everything that it rests on is still the same. */
  recall(mutant: Mutant): Entry | undefined {
    const entry = this.#journal.find(keyOf(mutant));
    return entry?.basis === this.#basisOf(mutant, entry?.outcome, entry?.file) ? entry : undefined;
  }

  /** Finds out whether the tests notice a mutant, in a workshop that nobody else uses meanwhile. */
  async decide(mutant: Mutant, workshop: Workshop): Promise<Entry> {
    const found = await this.#try(mutant, workshop);
    const basis = this.#basisOf(mutant, found.outcome, found.file);
    const entry: Entry = { mutant: keyOf(mutant), basis, ...found };
    this.#journal.add(entry);
    return entry;
  }

  async #try(mutant: Mutant, workshop: Workshop): Promise<Pick<Entry, "outcome" | "file" | "test">> {
    const affected = this.#affectedBy(mutant.file);
    const original = this.#originalOf(affected);
    const mutated = this.#compileMutant(mutant, affected);
    if (mutated === undefined) return { outcome: "invalid" };
    if (sameCode(original, mutated)) return { outcome: "equivalent" };
    for (const file of this.#testsFor(mutant.file)) {
      const record = this.#recordOf(mutant.file, file);
      record.tries++;
      const result = await this.#notice({ file, original, mutated }, workshop);
      if (result.outcome === "passed") continue;
      record.kills++;
      if (result.outcome === "timed out") return { outcome: "timed out", file };
      return {
        outcome: "killed",
        file,
        test: result.outcome === "failed" ? result.test : "unhandled rejection",
      };
    }
    const optimized = this.#compileMutant(mutant, affected, true);
    const same = optimized !== undefined && sameCode(this.#originalOf(affected, true), optimized);
    return { outcome: same ? "equivalent" : "survived" };
  }

  /**
   * Whether a test file notices the mutated code. A process that ran other mutants is believed when it says that the
   * test which failed passes on the original code; otherwise a new process is asked, whose answer stands.
   */
  async #notice({ file, original, mutated }: Attempt, workshop: Workshop): Promise<TestResult> {
    const on = async (code: Bytecodes, test?: string): Promise<TestResult> => {
      workshop.install(code);
      try {
        return await workshop.run(test === undefined ? { file } : { file, test });
      } finally {
        workshop.install(original);
      }
    };
    const first = await on(mutated);
    if (first.outcome === "passed") return first;
    if (first.outcome === "failed" && (await on(original, first.test)).outcome === "passed") return first;
    workshop.refresh();
    const second = await on(mutated);
    workshop.refresh();
    return second;
  }

  #originalOf(affected: string[], optimize = false): Bytecodes {
    const key = [optimize, ...affected].join();
    const known = this.#originals.get(key) ?? this.#compiler.compile(affected, undefined, optimize);
    this.#originals.set(key, known);
    return known;
  }

  #compileMutant(mutant: Mutant, affected: string[], optimize = false): Bytecodes | undefined {
    const source = applyMutant(readFileSync(join(this.#workshop.path, mutant.file), "utf8"), mutant);
    try {
      return this.#compiler.compile(affected, new Map([[mutant.file, source]]), optimize);
    } catch (error) {
      if (error instanceof CompileError) return undefined;
      throw error;
    }
  }

  /** The deployed sources that a source is part of. */
  #affectedBy(source: string): string[] {
    return this.#deployed.filter((deployed) => this.#compiler.closureOf(deployed).has(source));
  }

  /** All test files, those first that notice most for their time: by experience, and to begin with by their names. */
  #testsFor(source: string): string[] {
    const affected = this.#affectedBy(source);
    const expectation = (file: string): number => {
      if (file.includes(nameOf(source))) return 1;
      return affected.some((contract) => file.includes(nameOf(contract))) ? 0.5 : 0.01;
    };
    const worth = (file: string): number => {
      const { tries, kills } = this.#recordOf(source, file);
      return (kills + expectation(file)) / (tries + 1) / (this.#milliseconds.get(file) ?? 1);
    };
    return this.#workshop.tests().sort((one, other) => worth(other) - worth(one));
  }

  #recordOf(source: string, file: string): Record {
    const key = `${source} ${file}`;
    const record = this.#records.get(key) ?? { tries: 0, kills: 0 };
    this.#records.set(key, record);
    return record;
  }

  /** A survivor rests on every test, a killed mutant on the one that noticed, all of them on the sources. */
  #basisOf(mutant: Mutant, outcome: Entry["outcome"] | undefined, file: string | undefined): string {
    const sources = this.#affectedBy(mutant.file).flatMap((contract) => [
      ...this.#compiler.closureOf(contract),
    ]);
    const tests = outcome === "survived" ? this.#workshop.tests() : file === undefined ? [] : [file];
    return this.#basis.hashOf(sources, tests);
  }
}
