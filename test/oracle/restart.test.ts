import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import type { Boundary, Operator } from "../../oracle/src/index.ts";
import { createWorld, dealOf, deliver, put, until, type World } from "./support/world.ts";
import { hash } from "./support/states.ts";
import { ENDINGS, deathsOf, type Death, type Ending } from "./support/deaths.ts";

const SETTINGS = { ASSAY_DOCUMENT_WINDOW_SECONDS: "30" };

/** Starts an operator that dies when it passes the boundary for the `nth` time. */
async function startDying(
  world: World,
  boundary: Boundary,
  nth: number,
): Promise<{ operator: Operator; died: Promise<void> }> {
  let passed = 0;
  const operator = await world.start(
    {
      boundary(name) {
        if (name === boundary && ++passed === nth) throw new Error("killed");
      },
    },
    SETTINGS,
  );
  return { operator, died: operator.failed.catch(() => undefined) };
}

/** Brings one agreement as far as the operator lives; blocks come all the while. */
async function liveUntilDeath(world: World, died: Promise<void>): Promise<boolean> {
  const life = { over: false };
  void died.then(() => {
    life.over = true;
  });
  for (let turn = 0; turn < 250; turn++) {
    if (life.over) return true;
    world.evm.mine(1, 2);
    await new Promise((resolve) => setTimeout(resolve, 12));
  }
  return false;
}

/** Digests in the sign-once table, each with how many transactions were journalled for its settlement. */
function journal(world: World): { signed: number; relays: number; settlements: number } {
  const database = new DatabaseSync(join(world.dataDir, "operator.sqlite"), { readOnly: true });
  const count = (sql: string) => Number(database.prepare(sql).get()?.["n"]);
  const result = {
    signed: count("SELECT count(*) AS n FROM signed"),
    relays: count("SELECT count(*) AS n FROM outbox WHERE purpose = 'relay'"),
    settlements: count("SELECT count(*) AS n FROM outbox WHERE purpose = 'settle'"),
  };
  database.close();
  return result;
}

/** Every death of a PASS, and those that only the other endings die. The rest is the crash sweep's. */
function deathsHere(ending: Ending): readonly Death[] {
  if (ending.outcome === "PASS") return deathsOf(ending);
  const own: Record<string, string> = {
    UNDETERMINED: "countRounds",
    WITHHELD: "collectDocuments",
    FAIL: "broadcast",
  };
  return deathsOf(ending).filter(([boundary]) => boundary.startsWith(own[ending.outcome] ?? ""));
}

describe("operator, killed and started again", () => {
  for (const ending of ENDINGS)
    for (const [boundary, passage] of deathsHere(ending))
      it(`settles ${ending.outcome} exactly once when it dies at ${boundary}, passage ${passage}`, async () => {
        const { outcome, code, plans } = ending;
        const world = await createWorld();
        try {
          world.genLayer.plans = [...plans];
          const { operator, died } = await startDying(world, boundary, passage);
          const { agreementId } =
            outcome === "WITHHELD" ? await withhold(world, operator) : await deliver(world, operator);
          expect(await liveUntilDeath(world, died), `never came to ${boundary}`).to.equal(true);
          await operator.stop();

          const again = await world.start({}, SETTINGS);
          const view = await until(world, again, agreementId, ["SETTLED"], { seconds: 2 });
          await again.stop();

          expect(view.verdict?.outcome).to.equal(outcome);
          expect(world.evm.settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([code]);
          const { signed, relays, settlements } = journal(world);
          expect(signed).to.equal(1);
          expect(world.genLayer.transactions).to.have.length(plans.length);
          expect(relays).to.equal(plans.length);
          expect(settlements).to.equal(1);
          expect(world.evm.broadcast.size).to.equal(1);
        } finally {
          await world.end();
        }
      }).timeout(30_000);

  it("settles once when it dies at every boundary in turn", async () => {
    const world = await createWorld();
    try {
      let agreementId: Awaited<ReturnType<typeof deliver>>["agreementId"] | undefined;
      for (const [boundary, passage] of deathsOf(ENDINGS[0]!)) {
        const { operator, died } = await startDying(world, boundary, passage);
        agreementId ??= (await deliver(world, operator)).agreementId;
        await Promise.race([
          liveUntilDeath(world, died),
          until(world, operator, agreementId, ["SETTLED"], { mine: false }),
        ]);
        await operator.stop();
      }
      const last = await world.start();
      await until(world, last, agreementId!, ["SETTLED"]);
      expect(world.evm.settlements).to.have.length(1);
      expect(world.genLayer.transactions).to.have.length(1);
    } finally {
      await world.end();
    }
  }).timeout(60_000);
});

async function withhold(world: World, operator: Operator): ReturnType<typeof deliver> {
  const deal = dealOf(world);
  const agreementId = world.evm.fund(deal.terms);
  await put(operator, deal.agreementBytes);
  world.evm.submit(agreementId, hash(0x77));
  return { agreementId, submissionHash: hash(0x77) };
}
