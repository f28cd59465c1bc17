import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const RELATIVE_IMPORT = /from "(\.[^"]+)"/g;

/** Hashes the files that an outcome rests on, so that a later run knows whether it still holds. */
export class Basis {
  readonly #root: string;
  readonly #always: readonly string[];
  readonly #namedIn: (text: string, root: string) => readonly string[];
  readonly #texts = new Map<string, string>();

  /**
   * @param root folder that files are named from
   * @param always files that every outcome rests on
   * @param namedIn files that a text of tests names otherwise than by an import
   */
  constructor(
    root: string,
    always: readonly string[],
    namedIn: (text: string, root: string) => readonly string[] = () => [],
  ) {
    this.#root = root;
    this.#always = always;
    this.#namedIn = namedIn;
  }

  /** Of these sources, and of these tests with all that they import and name. */
  hashOf(sources: readonly string[], tests: readonly string[]): string {
    const imported = new Set<string>();
    for (const test of tests) this.#follow(test, imported);
    const named = this.#namedIn([...imported].map((file) => this.#read(file)).join("\n"), this.#root);
    const hash = createHash("sha256");
    for (const file of [...new Set([...sources, ...imported, ...named, ...this.#always])].sort()) {
      hash.update(`${file}\0${createHash("sha256").update(this.#read(file)).digest("hex")}\n`);
    }
    return hash.digest("hex");
  }

  /** Adds a module and what it imports, as far as it is the project's own. */
  #follow(file: string, found: Set<string>): void {
    if (found.has(file) || !existsSync(join(this.#root, file))) return;
    found.add(file);
    for (const [, path = ""] of this.#read(file).matchAll(RELATIVE_IMPORT)) {
      this.#follow(join(dirname(file), path), found);
    }
  }

  #read(file: string): string {
    const text = this.#texts.get(file) ?? readFileSync(join(this.#root, file), "utf8");
    this.#texts.set(file, text);
    return text;
  }
}
