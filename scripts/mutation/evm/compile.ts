import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
}

const require = createRequire(import.meta.url);
const solc = require("solc") as {
  compile(
    input: string,
    callbacks: { import(path: string): { contents: string } | { error: string } },
  ): string;
};

/** Creation bytecode by `source:contract`, interfaces and abstract contracts left out. */
export type Bytecodes = Map<string, string>;

/** The compiler's complaint about a source that it can't compile. */
export class CompileError extends Error {
  override readonly name = "CompileError";
}

const IMPORT = /^import\s[^;]*?"([^"]+)";/gm;

/** Compiles Solidity in this process, where the compiler stays loaded, and only what is asked for. */
export class Compiler {
  readonly #root: string;
  readonly #closures = new Map<string, Set<string>>();

  /** @param root folder that sources are named from, with a `node_modules` */
  constructor(root: string) {
    this.#root = root;
  }

  /** The project's own sources that a source is made of, itself included; packages are left out. */
  closureOf(source: string): Set<string> {
    const known = this.#closures.get(source);
    if (known) return known;
    const closure = new Set([source]);
    for (const [, path = ""] of this.#read(source).matchAll(IMPORT)) {
      if (path.startsWith("."))
        for (const own of this.closureOf(join(dirname(source), path))) closure.add(own);
    }
    this.#closures.set(source, closure);
    return closure;
  }

  /**
   * Bytecode of every contract that these sources declare, without metadata, so that equal code is equal text.
   *
   * @param sources what to compile
   * @param changes texts that stand in for those on disk
   * @param optimize slower, and for telling whether two programs are one to the optimizer
   * @throws {CompileError} when the compiler refuses
   */
  compile(sources: string[], changes: ReadonlyMap<string, string> = new Map(), optimize = false): Bytecodes {
    const input = {
      language: "Solidity",
      sources: Object.fromEntries(
        sources.map((source) => [source, { content: changes.get(source) ?? this.#read(source) }]),
      ),
      settings: {
        evmVersion: "prague",
        optimizer: { enabled: optimize, runs: 1_000_000 },
        metadata: { appendCBOR: false },
        outputSelection: Object.fromEntries(
          sources.map((source) => [source, { "*": ["evm.bytecode.object"] }]),
        ),
      },
    };
    const output = JSON.parse(
      solc.compile(JSON.stringify(input), {
        import: (path) => ({ contents: changes.get(path) ?? this.#read(path) }),
      }),
    ) as SolcOutput;
    const refusals = output.errors?.filter(({ severity }) => severity === "error") ?? [];
    if (refusals.length > 0) {
      throw new CompileError(refusals.map(({ formattedMessage }) => formattedMessage).join("\n"));
    }
    return new Map(
      Object.entries(output.contracts ?? {}).flatMap(([source, contracts]) =>
        Object.entries(contracts)
          .filter(([, { evm }]) => evm.bytecode.object !== "")
          .map(([name, { evm }]): [string, string] => [`${source}:${name}`, `0x${evm.bytecode.object}`]),
      ),
    );
  }

  #read(path: string): string {
    return readFileSync(join(this.#root, path.startsWith("@") ? `node_modules/${path}` : path), "utf8");
  }
}

/** Whether two compilations made the same code. */
export const sameCode = (one: Bytecodes, other: Bytecodes): boolean =>
  one.size === other.size && [...one].every(([name, code]) => other.get(name) === code);
