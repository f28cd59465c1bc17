import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { readNetworks, targetOf, TargetError } from "../../subgraph/deploy/target.ts";

const ESCROW = `0x${"e5".repeat(20)}`;
const QUORUM = `0x${"90".repeat(20)}`;
const PLACE = fileURLToPath(new URL("../../subgraph/deploy/place.ts", import.meta.url));
const deployed = { base: { escrow: ESCROW, quorum: QUORUM, startBlock: 12 }, "base-sepolia": null };

describe("subgraph deployment", function () {
  this.timeout(60_000);

  it("knows localnet, Base and Base Sepolia", () => {
    expect(readNetworks()).to.have.all.keys("localhost", "base-sepolia", "base");
  });

  it("takes a deployment from networks.json", () => {
    expect(targetOf("base", {}, deployed)).to.deep.equal({ network: "base", ...deployed.base });
  });

  it("takes what is given instead", () => {
    expect(targetOf("base", { startBlock: "99" }, deployed)).to.deep.include({
      escrow: ESCROW,
      startBlock: 99,
    });
  });

  it("refuses a network that it does not know, and lists those that it knows", () => {
    expect(() => targetOf("moon", {}, deployed)).to.throw(TargetError, "choose one of base, base-sepolia");
  });

  it("refuses a network on which nothing is deployed, and says what to give", () => {
    expect(() => targetOf("base-sepolia", { escrow: ESCROW }, deployed)).to.throw(
      TargetError,
      "give --quorum",
    );
  });

  it("places a folder that graph-cli can deploy", () => {
    const options = ["--escrow", ESCROW, "--quorum", QUORUM, "--start-block", "5"];
    const folder = execFileSync(process.execPath, [PLACE, "base-sepolia", ...options], {
      encoding: "utf8",
    }).trim();
    expect(readFileSync(join(folder, "subgraph.yaml"), "utf8")).to.include(`address: "${ESCROW}"`);
    for (const name of ["schema.graphql", "src/escrow.ts", "abis/IAgreementEscrow.json"]) {
      expect(existsSync(join(folder, name)), name).to.equal(true);
    }
  });

  it("ends with one sentence and without a stack when it can't", () => {
    const { status, stderr } = spawnSync(process.execPath, [PLACE, "base"], { encoding: "utf8" });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^Nothing is deployed on base .*\n$/);
  });
});
