import type { Follower } from "../test-runner.ts";

/** A test, what it takes, and where it has been in each of the changed contracts. */
export interface Trace {
  title: string;
  cpuSeconds: number;
  marks: number[][];
}

/** What ran in one test, or in the hooks of one suite. */
interface Part {
  marks: Set<number>[];
  since: NodeJS.CpuUsage;
  cpuSeconds: number;
}

/** Follows a run and tells its tests apart. The hooks of a suite count for each of its tests. */
export class Tracer implements Follower {
  readonly #changes: number;
  /** Called for every part, with the sets that its marks go into. */
  readonly #begin: (marks: Set<number>[]) => void;
  readonly #found: { title: string; parts: Part[] }[] = [];
  readonly #suites: Part[] = [];

  constructor(changes: number, begin: (marks: Set<number>[]) => void) {
    this.#changes = changes;
    this.#begin = begin;
  }

  suite(): void {
    this.#close();
    this.#suites.push(this.#open());
  }

  suiteEnd(): void {
    this.#close();
    this.#suites.pop();
    this.#resume();
  }

  test(title: string): void {
    this.#close();
    const part = this.#open();
    this.#found.push({ title, parts: [...this.#suites, part] });
    this.#current = part;
  }

  testEnd(): void {
    this.#close();
    this.#resume();
  }

  /** What was found, when the run has ended. */
  traces(): Trace[] {
    return this.#found.map(({ title, parts }) => ({
      title,
      cpuSeconds: parts.reduce((sum, part) => sum + part.cpuSeconds, 0),
      marks: Array.from({ length: this.#changes }, (_, place) => [
        ...new Set(parts.flatMap((part) => [...(part.marks[place] ?? [])])),
      ]),
    }));
  }

  #current: Part | undefined;

  #open(): Part {
    const marks = Array.from({ length: this.#changes }, () => new Set<number>());
    const part = { marks, since: process.cpuUsage(), cpuSeconds: 0 };
    this.#begin(marks);
    this.#current = part;
    return part;
  }

  #close(): void {
    const part = this.#current;
    if (part === undefined) return;
    const { user, system } = process.cpuUsage(part.since);
    part.cpuSeconds += (user + system) / 1e6;
    this.#current = undefined;
  }

  #resume(): void {
    const suite = this.#suites.at(-1);
    if (suite === undefined) return;
    suite.since = process.cpuUsage();
    this.#current = suite;
    this.#begin(suite.marks);
  }
}
