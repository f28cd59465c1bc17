import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const RELATIVE_IMPORT = /from "(\.[^"]+)"/g;
const DECLARED_CONTRACT = /^(?:abstract )?contract (\w+)/gm;

/** Hashes the files that an outcome rests on, so that a later run knows whether it still holds. */
export class Basis {
  readonly #root: string;
  readonly #texts = new Map<string, string>();

  /** @param root folder that files are named from */
  constructor(root: string) {
    this.#root = root;
  }

  /** Of these sources, and of these tests with all that they import and the test contracts that they name. */
  hashOf(sources: readonly string[], tests: readonly string[]): string {
    const imported = new Set<string>();
    for (const test of tests) this.#follow(test, imported);
    const text = [...imported].map((file) => this.#read(file)).join("\n");
    const contracts = globSync("test/evm/contracts/*.sol", { cwd: this.#root }).filter((file) =>
      [...this.#read(file).matchAll(DECLARED_CONTRACT)].some(([, name = ""]) => text.includes(name)),
    );
    const hash = createHash("sha256");
    for (const file of [...new Set([...sources, ...imported, ...contracts, "hardhat.config.ts"])].sort()) {
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
