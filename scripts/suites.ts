/** One process and one part of `test/`. */
export interface Suite {
  name: string;
  /** Arguments for this Node. */
  command: string[];
  /** Suites that measure time or start the whole stack run with nothing beside them. */
  alone?: boolean;
}

const HARDHAT = "node_modules/hardhat/dist/src/cli.js";
const MOCHA = "node_modules/mocha/bin/mocha.js";

const mocha = (name: string, ...options: string[]): Suite => ({
  name,
  command: [MOCHA, "--color", ...options, `test/${name}/**/*.test.ts`],
});

/** Ends when its last test has: what operators that were killed in the middle of a wait still wait for is left alone. */
const LEAVE_THE_DEAD = "--exit";

/** The slowest first, so that the lanes end together. */
export const SUITES: Suite[] = [
  mocha("genlayer"),
  mocha("scripts"),
  mocha("localnet"),
  mocha("subgraph"),
  mocha("oracle", LEAVE_THE_DEAD),
  { name: "faults", command: ["test/oracle/faults/run.ts", "--seeds", "50"] },
  mocha("protocol"),
  mocha("recorder"),
  { name: "evm", command: [HARDHAT, "test", "mocha", "--no-compile"] },
  { name: "invariants", command: ["scripts/invariants.ts"] },
  mocha("conformance"),
  mocha("reputation"),
  mocha("cli"),
  mocha("examples"),
  mocha("docs"),
  { ...mocha("e2e"), alone: true },
];
