import { readFileSync } from "node:fs";
import { expect } from "chai";
import { CONTRACTS } from "../../../../scripts/mutation/genlayer/coverage.ts";
import { NAMED, namedMutants, occurrences } from "../../../../scripts/mutation/genlayer/named.ts";
import { applyMutant } from "../../../../scripts/mutation/mutant.ts";

const read = (file: string): string => readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");

/** What must not survive in a contract that attributes responsibility. */
const PROMISES = [
  "consent",
  "sender check",
  "same address",
  "output overwrite",
  "ready state",
  "leader-only trust",
  "malformed mapping",
  "record creation",
  "an added timestamp",
];

describe("the named mutants of the Intelligent Contracts", () => {
  for (const { name, file, before, after } of NAMED) {
    it(`apply to the source as it is: ${file.split("/")[1]}, ${name}`, () => {
      const source = read(file);
      expect(occurrences(source, before)).to.equal(1);
      const mutant = namedMutants(file, source).find(({ operator }) => operator === `named: ${name}`)!;
      // Whole lines that go leave an empty one, so that all others keep their places
      const instead = before.endsWith("\n") ? `${after}\n` : after;
      expect(applyMutant(source, mutant)).to.equal(source.replace(before, () => instead));
    });
  }

  it("hold every promise of responsibility.py, and names of their own", () => {
    const names = NAMED.filter(({ file }) => file.endsWith("responsibility.py")).map(({ name }) => name);
    for (const promise of PROMISES) {
      expect(
        names.some((name) => name === promise || name.startsWith(`${promise}:`)),
        promise,
      ).to.equal(true);
    }
    for (const file of CONTRACTS) {
      const own = NAMED.filter((item) => item.file === file).map(({ name }) => name);
      expect(new Set(own).size).to.equal(own.length);
    }
  });
});
