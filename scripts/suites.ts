/** The test suites of the project, in the order in which they run. Each is one process and one part of `test/`. */
export interface Suite {
  name: string;
  /** Arguments for this Node. */
  command: string[];
  /** Suites that measure time or start the whole stack run with nothing beside them. */
  alone?: boolean;
}

const HARDHAT = "node_modules/hardhat/dist/src/cli.js";
const MOCHA = "node_modules/mocha/bin/mocha.js";

const mocha = (name: string, alone = false): Suite => ({
  name,
  command: [MOCHA, "--color", `test/${name}/**/*.test.ts`],
  alone,
});

export const SUITES: Suite[] = [
  { name: "evm", command: [HARDHAT, "test", "mocha", "--no-compile"] },
  mocha("protocol"),
  mocha("cli"),
  mocha("examples"),
  mocha("docs"),
  mocha("scripts"),
  mocha("oracle"),
  mocha("genlayer"),
  mocha("localnet"),
  mocha("subgraph"),
  mocha("reputation"),
  mocha("e2e", true),
];
