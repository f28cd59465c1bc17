import { createRequire } from "node:module";
import type { HardhatUserConfig } from "hardhat/config";
import toolbox from "@nomicfoundation/hardhat-toolbox-mocha-ethers";

const require = createRequire(import.meta.url);

/** The compiler comes from npm, so a build needs no download and every machine compiles the same bytes. */
const solc = require.resolve("solc/soljson.js");

const config: HardhatUserConfig = {
  plugins: [toolbox],
  solidity: {
    version: "0.8.37",
    path: solc,
    settings: {
      evmVersion: "prague",
      viaIR: true,
      optimizer: { enabled: true, runs: 1_000_000 },
      metadata: { bytecodeHash: "ipfs" },
    },
  },
  // The generated types use namespaces, which this repository's own code does without.
  typechain: { tsNocheck: true },
  coverage: { skipFiles: ["test/**"] },
  test: {
    solidity: {
      profiles: {
        default: {
          fuzz: { runs: 256, seed: "0xa55a9" },
          invariant: { runs: 256, depth: 128, failOnRevert: true, shrinkRunLimit: 200 },
        },
        deep: {
          fuzz: { runs: 2_560, seed: "0xa55a9" },
          invariant: { runs: 2_560, depth: 128, failOnRevert: true, shrinkRunLimit: 200 },
        },
      },
    },
  },
  paths: {
    sources: ["./contracts-evm", "./test/evm/contracts"],
    tests: { mocha: "./test/evm", solidity: "./test/evm/solidity" },
  },
};

export default config;
