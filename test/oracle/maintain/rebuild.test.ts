import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import type { Hex } from "@assay/protocol";
import { MaintenanceError, maintain, type Boundary, type Operator } from "../../../oracle/src/index.ts";
import { ENDINGS, deathsOf, type Death, type Ending } from "../support/deaths.ts";
import { rejection } from "../support/rejection.ts";
import { hash } from "../support/states.ts";
import { createWorld, dealOf, deliver, put, until, type World } from "../support/world.ts";

const SETTINGS = { ASSAY_DOCUMENT_WINDOW_SECONDS: "30" };

const rebuild = (world: World, fromBlock = 0) =>
  maintain({ dataDir: world.dataDir, databaseUrl: null }, { name: "rebuild", fromBlock });

/** Funds, submits, and hands over the documents; of a withheld submission the agreement's only. */
async function begin(world: World, operator: Operator, { outcome, plans }: Ending): Promise<Hex> {
  world.genLayer.plans = [...plans];
  if (outcome !== "WITHHELD") return (await deliver(world, operator)).agreementId;
  const deal = dealOf(world);
  const agreementId = world.evm.fund(deal.terms);
  await put(operator, deal.agreementBytes);
  world.evm.submit(agreementId, hash(0x77));
  return agreementId;
}

/** Lets an operator live until it passes a boundary. */
async function liveUntil(world: World, ending: Ending, [boundary, passage]: Death): Promise<Hex> {
  let passed = 0;
  const operator = await world.start(
    {
      boundary(name: Boundary) {
        if (name === boundary && ++passed === passage) throw new Error("stopped");
      },
    },
    SETTINGS,
  );
  const life = { over: false };
  operator.failed.catch(() => (life.over = true));
  const agreementId = await begin(world, operator, ending);
  for (let turn = 0; turn < 400 && !life.over; turn++) {
    world.evm.mine(1, 2);
    await new Promise((resolve) => setTimeout(resolve, 12));
  }
  expect(life.over, `came to ${boundary}`).to.equal(true);
  await operator.stop();
  return agreementId;
}

/** What must be the same after a rebuild. */
function signedBy(world: World): unknown {
  const database = new DatabaseSync(join(world.dataDir, "operator.sqlite"), { readOnly: true });
  const rows = database.prepare("SELECT * FROM signed").all();
  database.close();
  return rows;
}

/** Every side of an effect at which something new is written, without the ingest's own. */
const STOPS: readonly (readonly [Ending, Death])[] = ENDINGS.flatMap((ending) =>
  deathsOf(ending)
    .filter(([boundary]) => boundary.endsWith(".committed") && !boundary.startsWith("ingest"))
    .filter(
      ([boundary, passage]) =>
        ending.outcome === "PASS" ||
        (ending.outcome === "UNDETERMINED" && (boundary === "countRounds.committed" || passage > 1)) ||
        (ending.outcome === "WITHHELD" && boundary === "attest.committed"),
    )
    .map((death) => [ending, death] as const),
);

describe("rebuild", () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(() => world.end());

  for (const [ending, death] of STOPS)
    it(`after ${death.join(" ")} of ${ending.outcome}: the same settlement, nothing signed twice`, async () => {
      const agreementId = await liveUntil(world, ending, death);
      const before = signedBy(world) as unknown[];
      const { facts } = await rebuild(world);
      expect(facts["submissions"]).to.equal(1);
      expect(signedBy(world)).to.deep.equal(before);

      const again = await world.start({}, SETTINGS);
      const view = await until(world, again, agreementId, ["SETTLED"], { seconds: 2, timeout: 15_000 });
      await again.stop();
      expect(view.verdict?.outcome).to.equal(ending.outcome);
      expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([ending.code]);
      expect(world.genLayer.transactions).to.have.length(ending.plans.length);
      expect(world.evm.broadcast.size).to.equal(1);
      const after = signedBy(world) as unknown[];
      expect(after).to.have.length(1);
      if (before.length > 0) expect(after).to.deep.equal(before);
    }).timeout(40_000);

  for (const ending of ENDINGS)
    it(`at the end of ${ending.outcome}: the same state, and nothing is sent`, async () => {
      const first = await world.start({}, SETTINGS);
      const agreementId = await begin(world, first, ending);
      const before = await until(world, first, agreementId, ["SETTLED"], { seconds: 2, timeout: 15_000 });
      await first.stop();
      const signed = signedBy(world);
      await rebuild(world);

      const again = await world.start({}, SETTINGS);
      const after = await until(world, again, agreementId, ["SETTLED"], { timeout: 15_000 });
      expect(after.verdict).to.deep.equal(before.verdict);
      expect(after.reason).to.equal(before.reason);
      expect(world.evm.settlements).to.have.length(1);
      expect(world.evm.broadcast.size).to.equal(1);
      expect(world.genLayer.transactions).to.have.length(ending.plans.length);
      const served = await fetch(`${again.url}/v1/attestations/${agreementId}`);
      expect(served.status).to.equal(200);
      await again.stop();
      expect(signedBy(world)).to.deep.equal(signed);
    }).timeout(40_000);

  it("from a block after what is finished leaves that alone, and refuses to lose what is not", async () => {
    const operator = await world.start({}, SETTINGS);
    const finished = (await deliver(world, operator)).agreementId;
    await until(world, operator, finished, ["SETTLED"]);
    const between = world.evm.latest.number + 1;
    world.evm.mine(2);
    world.genLayer.plans = ["STUCK"];
    const open = (await deliver(world, operator)).agreementId;
    await until(world, operator, open, ["JUDGING"]);
    await operator.stop();

    const error = await rejection(rebuild(world, world.evm.latest.number));
    expect(error).to.be.instanceOf(MaintenanceError);
    expect((error as MaintenanceError).code).to.equal("bad_range");
    const highest = Number(
      /block (\d+) or lower|--from-block (\d+)/.exec((error as MaintenanceError).hint)?.[2],
    );
    expect(highest).to.be.greaterThan(between);

    expect((await rebuild(world, between)).facts["submissions"]).to.equal(1);
    const again = await world.start({}, SETTINGS);
    await until(world, again, open, ["JUDGING"]);
    const view = await until(world, again, finished, ["SETTLED"], { mine: false });
    expect(view.transitions.filter(({ event }) => event === "SubmissionSeen")).to.have.length(1);
    expect(world.genLayer.transactions).to.have.length(2);
  }).timeout(40_000);
});
