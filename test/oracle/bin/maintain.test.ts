import { execFile } from "node:child_process";
import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { bareEnvironment } from "@assay/localnet";
import { openSqliteStore, type Operator } from "../../../oracle/src/index.ts";
import { createWorld, dealOf, deliver, until, type World } from "../support/world.ts";
import { hash } from "../support/states.ts";

const ENTRY = join(import.meta.dirname, "../../../oracle/src/bin/maintain.ts");

describe("maintenance", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.end());

  function maintain(...command: string[]): Promise<{ code: number; text: string }> {
    return new Promise((resolve) => {
      const env = { ...bareEnvironment(tmpdir()), ASSAY_DATA_DIR: world.dataDir };
      execFile(process.execPath, [ENTRY, ...command], { env }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, text: (stdout + stderr).trim() });
      });
    });
  }

  async function facts(...command: string[]): Promise<Record<string, unknown>> {
    const { text } = await maintain(...command, "--json");
    return (JSON.parse(text) as { facts: Record<string, unknown> }).facts;
  }

  async function quarantine(operator: Operator) {
    world.genLayer.code = "# another judge\n";
    const { agreementId } = await deliver(world, operator, dealOf(world));
    await until(world, operator, agreementId, ["QUARANTINED"]);
    return agreementId;
  }

  for (const running of [true, false])
    describe(running ? "of a running operator" : "of a stopped operator", () => {
      it("takes a parked submission up again", async () => {
        let operator = await world.start();
        const agreementId = await quarantine(operator);
        if (!running) await operator.stop();
        world.genLayer.code = "# the judge\n";
        expect(await maintain("requeue", agreementId.toUpperCase().replace("X", "x"))).to.deep.equal({
          code: 0,
          text: "requeued 1 submission",
        });
        if (!running) operator = await world.start();
        await until(world, operator, agreementId, ["SETTLED"]);
        expect(world.evm.settlements).to.have.length(1);
      }).timeout(30_000);

      it("keeps the operator from signing until a person resumes it", async () => {
        let operator = await world.start();
        if (!running) await operator.stop();
        expect((await maintain("halt", "a drill")).text).to.equal("signing is halted");
        if (!running) operator = await world.start();
        const { agreementId } = await deliver(world, operator);
        await until(world, operator, agreementId, ["RELAY_READY"]);
        const ready = await fetch(`${operator.url}/readyz`);
        expect(ready.status).to.equal(503);
        expect(await ready.text()).to.include("halted: a drill");
        expect(world.genLayer.sends).to.deep.equal([]);

        if (!running) await operator.stop();
        const hasty = await maintain("resume");
        expect(hasty).to.deep.equal({
          code: 1,
          text: "signing is halted: a drill\nRepeat with --ack when you have looked into it.",
        });
        expect((await facts("status"))["halted"]).to.equal("a drill");
        expect((await maintain("resume", "--ack")).text).to.equal(
          "signing is resumed; it was halted: a drill",
        );
        if (!running) operator = await world.start();
        await until(world, operator, agreementId, ["SETTLED"]);
      }).timeout(30_000);

      it("tells the states, and copies the database into a new file", async () => {
        const operator = await world.start();
        const agreementId = await quarantine(operator);
        if (!running) await operator.stop();
        expect(await facts("status")).to.deep.include({ halted: null, states: { QUARANTINED: 1 } });
        const copy = join(world.dataDir, "copy.sqlite");
        expect((await maintain("backup", copy)).text).to.equal(`copied the database to ${copy}`);
        const store = openSqliteStore(copy);
        expect((await store.submissionsOf(agreementId)).map(({ state }) => state.name)).to.deep.equal([
          "QUARANTINED",
        ]);
        await store.close();
        const again = await maintain("backup", copy);
        expect(again.code).to.equal(1);
        expect(again.text).to.match(/exists already\nGive the path of a file that does not exist yet/);
      }).timeout(30_000);

      it("has nothing to requeue for an agreement that nobody parked", async () => {
        const operator = await world.start();
        if (!running) await operator.stop();
        const { code, text } = await maintain("requeue", hash(1), "--json");
        expect(code).to.equal(1);
        expect(JSON.parse(text)).to.deep.equal({
          error: {
            code: "nothing_parked",
            message: `nothing is parked for agreement ${hash(1)}`,
            hint: "Only submissions in QUARANTINED or CONFLICT can be taken up again.",
          },
        });
      }).timeout(20_000);
    });

  it("rebuilds a stopped operator only", async () => {
    await world.start();
    const { code, text } = await maintain("rebuild", "--from-block", "0");
    expect(code).to.equal(1);
    expect(text).to.match(/^the operator is running\nStop it, rebuild/);
  }).timeout(20_000);

  it("takes commands from nobody who can't read the operator's folder", async () => {
    const operator = await world.start();
    const file = join(world.dataDir, "admin.json");
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const { port, token } = JSON.parse(await readFile(file, "utf8")) as { port: number; token: string };
    for (const authorization of ["", "Bearer ", `Bearer ${"0".repeat(64)}`, token]) {
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        method: "POST",
        headers: { authorization },
        body: JSON.stringify({ name: "halt", reason: "an intruder" }),
      });
      expect(response.status).to.equal(401);
    }
    expect((await facts("status"))["halted"]).to.equal(null);
    for (const line of world.log) expect(line).to.not.include(token);
    await operator.stop();
    expect(await readdir(world.dataDir)).to.not.include("admin.json");
  }).timeout(20_000);

  it("goes to the database when the operator was killed and left its door behind", async () => {
    const operator = await world.start();
    const door = await readFile(join(world.dataDir, "admin.json"));
    await operator.stop();
    await writeFile(join(world.dataDir, "admin.json"), door);
    expect((await maintain("halt", "a drill")).text).to.equal("signing is halted");
  }).timeout(20_000);

  it("says what it takes, and what it can't do", async () => {
    expect((await maintain("dance")).text).to.match(/^usage: maintain\.ts/);
    expect(await maintain("--help")).to.deep.include({ code: 0 });
    expect((await maintain("halt")).code).to.equal(1);
    expect((await maintain("resume", "--force")).text).to.match(/Unknown option '--force'/);
    expect((await maintain("status")).text).to.match(
      /^there is no operator's database in .*\nSet ASSAY_DATA_DIR/,
    );
    await (await world.start()).stop();
    expect((await maintain("requeue", "0x12")).text).to.match(/^the agreement id is not 0x and 64/);
    expect((await maintain("rebuild", "--from-block", "-1")).text).to.match(/from-block/);
    expect((await maintain("rebuild")).text).to.match(/^--from-block is no block number/);
    expect((await maintain("halt", " ")).text).to.match(/^a halt needs a reason/);
  }).timeout(30_000);
});
