import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Journal, type Entry } from "../../../scripts/mutation/journal.ts";

const KILLED: Entry = {
  mutant: "A.sol:1 x: y",
  outcome: "killed",
  basis: "b1",
  file: "a.test.ts",
  test: "t",
};
const SURVIVED: Entry = { mutant: "A.sol:2 x: y", outcome: "survived", basis: "b2" };

describe("the journal of mutants", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "assay-journal-"));
    path = join(folder, "deep", "journal.jsonl");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("knows after an interruption what it was told before", () => {
    const journal = new Journal(path, false);
    journal.add(KILLED);
    journal.add(SURVIVED);
    const resumed = new Journal(path, true);
    expect(resumed.find(KILLED.mutant)).to.deep.equal(KILLED);
    expect(resumed.find(SURVIVED.mutant)).to.deep.equal(SURVIVED);
    expect(resumed.find("another")).to.equal(undefined);
  });

  it("believes the last of two outcomes of one mutant", () => {
    new Journal(path, false).add(SURVIVED);
    new Journal(path, true).add({ ...SURVIVED, outcome: "killed", basis: "b3" });
    expect(new Journal(path, true).find(SURVIVED.mutant)?.outcome).to.equal("killed");
  });

  it("drops a line that a crash cut off, and goes on behind it", () => {
    new Journal(path, false).add(KILLED);
    appendFileSync(path, '{"mutant":"A.sol:2');
    const resumed = new Journal(path, true);
    resumed.add(SURVIVED);
    expect(readFileSync(path, "utf8")).to.equal(`${JSON.stringify(KILLED)}\n${JSON.stringify(SURVIVED)}\n`);
  });

  it("begins anew unless it is told to go on", () => {
    new Journal(path, false).add(KILLED);
    expect(new Journal(path, false).find(KILLED.mutant)).to.equal(undefined);
    expect(readFileSync(path, "utf8")).to.equal("");
  });
});
