import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";
import type { Mutant } from "../mutant.ts";

/** A mutant of a Python contract. */
export interface PythonMutant extends Mutant {
  /** The function or class that it is in; empty for the module. */
  scope: string;
  /** Numbers of the statements of which one has to run for it to matter; empty when that can't be told. */
  reachedBy: number[];
}

type Call = (name: string, ...values: (string | number)[]) => string;
type PythonFunction = (...values: (string | number)[]) => string;

/** The parts of Pyodide that this module uses; some are beyond its published types. */
interface Pyodide {
  readonly FS: { writeFile(path: string, text: string): void };
  readonly globals: { get(name: string): PythonFunction };
  runPython(code: string): unknown;
}

const MODULES = fileURLToPath(new URL("python/", import.meta.url));
const IMPORTS = `
from compiled import compared
from marks import implied_json, marked
from mutants import mutants_json
from source import reached_by_line
`;

/** Python's own parser, which makes mutants and tells whether they are worth a run. */
export class Python {
  readonly #call: Call;

  private constructor(call: Call) {
    this.#call = call;
  }

  /** Starts CPython on WebAssembly, which takes some seconds. */
  static async start(): Promise<Python> {
    const python = (await loadPyodide()) as unknown as Pyodide;
    for (const path of globSync("*.py", { cwd: MODULES })) {
      python.FS.writeFile(`/home/pyodide/${basename(path)}`, readFileSync(MODULES + path, "utf8"));
    }
    python.runPython(IMPORTS);

    return new Python((name, ...values) => python.globals.get(name)(...values));
  }

  /** Every mutant of a source, in order. */
  mutantsOf(file: string, source: string): PythonMutant[] {
    return JSON.parse(this.#call("mutants_json", file, source)) as PythonMutant[];
  }

  /** The source with a print of its number, once a run, before each statement in a function. */
  marked(source: string): string {
    return this.#call("marked", source);
  }

  /** Statements that print nothing, each with the one that stands for it. */
  implied(source: string): Map<number, number> {
    const pairs = JSON.parse(this.#call("implied_json", source)) as Record<string, number>;
    return new Map(Object.entries(pairs).map(([number, standsFor]) => [Number(number), standsFor]));
  }

  /** Whether a mutant of a source compiles, and to other code. */
  compared(source: string, { line, before, after }: Mutant): "invalid" | "same" | "different" {
    return this.#call("compared", source, line, before, after) as "invalid" | "same" | "different";
  }

  /** The number of the statement that a line of a source is in; empty outside of functions. */
  reachedByLine(source: string, line: number): number[] {
    return JSON.parse(this.#call("reached_by_line", source, line)) as number[];
  }
}
