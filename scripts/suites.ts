/** One process and one part of `test/`. */
export interface Suite {
  name: string;
  /** Arguments for this Node. */
  command: string[];
  /**
   * What runs beside it: any suites when left out; for those that start a whole stack, which waits more than it computes,
   * one other of their kind; nothing for those that measure time.
   */
  beside?: "a stack" | "nothing";
}

const HARDHAT = "node_modules/hardhat/dist/src/cli.js";
const MOCHA = "node_modules/mocha/bin/mocha.js";

const mocha = (name: string, ...places: string[]): Suite => ({
  name,
  command: [
    MOCHA,
    "--color",
    ...(places.length === 0 ? [`${name}/**/*`] : places).map((place) => `test/${place}.test.ts`),
  ],
});

/** Ends when its last test has: what operators that were killed in the middle of a wait still wait for is left alone. */
const LEAVE_THE_DEAD = "--exit";

/** Part of the operator's tests, by folders. */
const operator = (name: string, ...places: string[]): Suite => ({
  name,
  command: [MOCHA, "--color", LEAVE_THE_DEAD, ...places.map((place) => `test/oracle/${place}.test.ts`)],
});

/** The slowest first, so that the lanes end together. */
export const SUITES: Suite[] = [
  operator("oracle", "*", "{attest,core,documents,incidents,ingest,judge,relay,run,settle}/**/*"),
  operator("oracle-doors", "{answers,bin,config,http,maintain,mcp}/**/*"),
  mocha("genlayer"),
  mocha("scripts"),
  mocha("localnet"),
  mocha("subgraph"),
  operator("oracle-ground", "{observe,rpc,signer,store,venue}/**/*"),
  { name: "faults", command: ["test/oracle/faults/run.ts", "--seeds", "50"] },
  mocha("protocol"),
  mocha("recorder"),
  { name: "evm", command: [HARDHAT, "test", "mocha", "--no-compile"] },
  { name: "invariants", command: ["scripts/invariants.ts"] },
  mocha("conformance"),
  mocha("reputation"),
  mocha("cli"),
  mocha("evidence"),
  mocha("examples"),
  mocha("docs"),
  // The doctor of the command line first: later tests move the chain's clock, which makes operators unready.
  { ...mocha("e2e", "e2e/cli", "e2e/!(cli)"), beside: "a stack" },
  { ...mocha("web", "web/*", "web/!(speed)/**/*"), beside: "a stack" },
  { ...mocha("web-speed", "web/speed/**/*"), beside: "nothing" },
];
