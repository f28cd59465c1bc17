import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect } from "chai";
import { createWorld, dealOf, deliver, until, type World } from "../support/world.ts";
import { hash } from "../support/states.ts";

const ENTRY = join(import.meta.dirname, "../../../oracle/src/bin/maintain.ts");

describe("maintenance of a stopped operator", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.end());

  function maintain(...command: string[]): Promise<{ code: number; text: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [ENTRY, ...command], { env: { ...world.env } }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, text: (stdout + stderr).trim() });
      });
    });
  }

  it("takes a parked submission up again", async () => {
    const operator = await world.start();
    world.genLayer.code = "# another judge\n";
    const { agreementId } = await deliver(world, operator, dealOf(world));
    await until(world, operator, agreementId, ["QUARANTINED"]);
    await operator.stop();
    expect(await maintain("requeue", agreementId)).to.deep.equal({ code: 0, text: "requeued 1 submission" });
    world.genLayer.code = "# the judge\n";
    await until(world, await world.start(), agreementId, ["SETTLED"]);
    expect(world.evm.settlements).to.have.length(1);
  }).timeout(20_000);

  it("keeps an operator from signing until a person resumes it", async () => {
    expect((await maintain("halt", "a drill")).text).to.equal("signing is halted");
    const operator = await world.start();
    const { agreementId } = await deliver(world, operator);
    await until(world, operator, agreementId, ["RELAY_READY"]);
    expect((await fetch(`${operator.url}/readyz`)).status).to.equal(503);
    await operator.stop();
    expect(world.genLayer.sends).to.deep.equal([]);

    const hasty = await maintain("resume");
    expect(hasty).to.deep.equal({
      code: 1,
      text: "halted: a drill; repeat with --ack when you have looked into it",
    });
    expect((await maintain("resume", "--ack")).text).to.equal("signing is resumed; it was halted: a drill");
    await until(world, await world.start(), agreementId, ["SETTLED"]);
  }).timeout(30_000);

  it("says what it takes, and what it can't do", async () => {
    expect((await maintain("dance")).text).to.match(/^usage: maintain\.ts/);
    expect(await maintain("requeue", hash(1))).to.deep.equal({
      code: 1,
      text: `nothing is parked for agreement ${hash(1)}`,
    });
    await world.start();
    expect((await maintain("resume")).text).to.match(/^another operator process uses /);
  }).timeout(20_000);
});
