/**
 * Runs the stateful invariants and the fuzz tests in Solidity.
 *
 *     npm run test:invariants              256 runs × 128 actions
 *     npm run test:invariants -- --deep    ten times as many runs
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { deep: { type: "boolean" } } });
const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/hardhat/dist/src/cli.js",
    "test",
    "solidity",
    "--test-profile",
    values.deep ? "deep" : "default",
  ],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
