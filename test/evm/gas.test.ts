import { readFileSync } from "node:fs";
import { expect } from "chai";
import { measureGas, type GasReport } from "./support/measure-gas.ts";
import { deployWorld, loadFixture } from "./support/world.ts";

const snapshot = JSON.parse(readFileSync(new URL("gas-snapshot.json", import.meta.url), "utf8")) as GasReport;

describe("gas", () => {
  it("is what the snapshot says; `npm run gas -- --update` accepts a change", async () => {
    const { report } = await measureGas(await loadFixture(deployWorld));
    expect(report).to.deep.equal(snapshot);
  });

  for (const [operation, bar] of Object.entries({
    fundWithAuthorization: 130_000,
    fundWithApproval: 95_000,
    submit: 33_000,
    release1of1: 76_000,
    release3of5: 94_000,
    refund1of1: 78_000,
    batch50PerRelease: 45_000,
    life3of5: 257_000,
  })) {
    it(`of ${operation} is at most ${bar}`, () => {
      expect(snapshot[operation as keyof GasReport]).to.be.at.most(bar);
    });
  }
});
