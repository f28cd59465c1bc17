import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * `killed`: a test failed. `timed out`: a test file never ended, which also counts as noticed. `survived`: every test
 * passed. `equivalent`: the compiler makes the same code of it. `invalid`: it doesn't compile.
 */
export type Outcome = "killed" | "timed out" | "survived" | "equivalent" | "invalid";

/** What became of one mutant. */
export interface Entry {
  /** Identifies the mutant by its place and its change. */
  mutant: string;
  outcome: Outcome;
  /** Hash of every file that this outcome rests on; it holds as long as they stand. */
  basis: string;
  /** The test file, and the test in it, that noticed. */
  file?: string;
  test?: string;
}

/** The outcomes of a run, one JSON line each, written as they are found, so that an interrupted run can go on. */
export class Journal {
  readonly #path: string;
  readonly #entries = new Map<string, Entry>();

  /**
   * @param path where the lines are kept
   * @param resume keeps what stands there; otherwise it begins anew
   */
  constructor(path: string, resume: boolean) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
    if (!resume || !existsSync(path)) {
      writeFileSync(path, "");
      return;
    }
    const text = readFileSync(path, "utf8");
    // A line that was cut off by a crash has no end and says nothing
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole !== text) writeFileSync(path, whole);
    for (const line of whole.split("\n").filter((line) => line !== "")) {
      const entry = JSON.parse(line) as Entry;
      this.#entries.set(entry.mutant, entry);
    }
  }

  /** What is known of a mutant. */
  find(mutant: string): Entry | undefined {
    return this.#entries.get(mutant);
  }

  /** Writes an outcome down. */
  add(entry: Entry): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
    this.#entries.set(entry.mutant, entry);
  }
}
