import { globSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { SUITES } from "../../scripts/suites.ts";

const ROOT = join(import.meta.dirname, "../..");

describe("the suites", () => {
  it("run every test file, each once", () => {
    const globs = SUITES.flatMap(({ command }) =>
      command.filter((argument) => argument.endsWith(".test.ts")),
    );
    const run = globs.flatMap((glob) => globSync(glob, { cwd: ROOT }));
    // Hardhat finds the tests of the contracts by itself.
    const there = globSync("test/**/*.test.ts", { cwd: ROOT }).filter(
      (file) => !file.startsWith("test/evm/"),
    );
    expect(run.sort()).to.deep.equal(there.sort());
  });
});
