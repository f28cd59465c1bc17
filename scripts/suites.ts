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

const mocha = (name: string): Suite => ({
  name,
  command: [MOCHA, "--color", `test/${name}/**/*.test.ts`],
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
  { ...mocha("e2e"), alone: true },
  { ...mocha("web"), alone: true },
];
