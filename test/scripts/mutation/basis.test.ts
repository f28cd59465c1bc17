import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { Basis } from "../../../scripts/mutation/basis.ts";
import { testContractsIn } from "../../../scripts/mutation/evm/campaign.ts";

const FILES = {
  "hardhat.config.ts": "config",
  "contracts-evm/C.sol": "contract C {}",
  "contracts-evm/D.sol": "contract D {}",
  "test/evm/c.test.ts": 'import { w } from "./support/world.ts";\ndeploy("Hostile");',
  "test/evm/d.test.ts": "other",
  "test/evm/support/world.ts": "world",
  "test/evm/support/unused.ts": "unused",
  "test/evm/contracts/Hostile.sol": "contract Hostile {}",
  "test/evm/contracts/Meter.sol": "contract Meter {}",
};

describe("what an outcome rests on", () => {
  let root: string;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const hash = (): string =>
    new Basis(root, ["hardhat.config.ts"], testContractsIn).hashOf(
      ["contracts-evm/C.sol"],
      ["test/evm/c.test.ts"],
    );
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "assay-basis-"));
    for (const [path, text] of Object.entries(FILES)) write(path, text);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  for (const path of [
    "hardhat.config.ts",
    "contracts-evm/C.sol",
    "test/evm/c.test.ts",
    "test/evm/support/world.ts",
    "test/evm/contracts/Hostile.sol",
  ]) {
    it(`is ${path}, among others: it falls when that changes`, () => {
      const before = hash();
      write(path, `${FILES[path as keyof typeof FILES]} // changed`);
      expect(hash()).not.to.equal(before);
    });
  }

  for (const path of [
    "contracts-evm/D.sol",
    "test/evm/d.test.ts",
    "test/evm/support/unused.ts",
    "test/evm/contracts/Meter.sol",
  ]) {
    it(`isn't ${path}, which the tests that decided don't use`, () => {
      const before = hash();
      write(path, "changed");
      expect(hash()).to.equal(before);
    });
  }
});
