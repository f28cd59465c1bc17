import { readFileSync } from "node:fs";
import { expect } from "chai";
import { deployGate } from "./support/execution.ts";
import { BARS } from "./support/gas-bars.ts";
import { measureGas, type GasReport } from "./support/measure-gas.ts";
import { loadFixture } from "./support/world.ts";

const snapshot = JSON.parse(readFileSync(new URL("gas-snapshot.json", import.meta.url), "utf8")) as GasReport;

describe("gas", () => {
  it("is what the snapshot says; `npm run gas -- --update` accepts a change", async () => {
    const { report } = await measureGas(await loadFixture(deployGate));
    expect(report).to.deep.equal(snapshot);
  });

  for (const [operation, bar] of Object.entries(BARS)) {
    it(`of ${operation} is at most ${bar}`, () => {
      expect(snapshot[operation as keyof GasReport]).to.be.at.most(bar);
    });
  }
});
