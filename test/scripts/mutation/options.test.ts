import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { readOptions } from "../../../scripts/mutation/options.ts";

const RUN = fileURLToPath(new URL("../../../scripts/mutation/run.ts", import.meta.url));

describe("the mutation command", () => {
  it("takes the Solidity contracts unless it is told otherwise", () => {
    expect(readOptions([])).to.include({ target: "evm", resume: false, json: false, file: "" });
    expect(readOptions(["genlayer", "--sample", "40", "--seed", "0", "--jobs", "1"])).to.include({
      target: "genlayer",
      sample: 40,
      seed: 0,
      jobs: 1,
    });
  });

  it("lists every mutant, also into a pipe", () => {
    const { status, stdout } = spawnSync(process.execPath, [RUN, "--list"], {
      encoding: "utf8",
      maxBuffer: 1 << 24,
    });
    expect(status).to.equal(0);
    const lines = stdout.trimEnd().split("\n");
    const [, count, all] = /^(\d+) of (\d+) mutants$/.exec(lines.at(-1) ?? "") ?? [];
    expect(Number(count)).to.be.greaterThan(400).and.to.equal(Number(all));
    expect(lines.filter((line) => line.startsWith("contracts-evm/"))).to.have.length(Number(count));
  }).timeout(60_000);

  it("refuses what it doesn't know before it does anything", () => {
    const refused: [string[], string][] = [
      [["python"], 'there is no "python" to mutate'],
      [["evm", "genlayer"], "one kind of contracts at a time"],
      [["--sample", "0"], "--sample takes a positive whole number"],
      [["--seed", "1"], "say --sample N"],
      [["--speed"], "--speed"],
    ];
    for (const [args, words] of refused) {
      const { status, stderr } = spawnSync(process.execPath, [RUN, ...args], { encoding: "utf8" });
      expect(status, args.join(" ")).to.equal(2);
      expect(stderr).to.include(words).and.to.include("Usage: npm run test:mutation");
    }
  }).timeout(60_000);
});
