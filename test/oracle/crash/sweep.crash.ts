/**
 * The crash sweep: a process, kill -9, at every effect boundary, for every way through the work. Too slow for every run
 * of the tests; `npm run test:crash` runs all of it, and passes options on to mocha (`-- --grep joint`).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import pg from "pg";
import { bareEnvironment } from "@assay/localnet";
import type { Operator } from "../../../oracle/src/index.ts";
import { openPostgresStore } from "../../../oracle/src/store/index.ts";
import type { Death } from "../support/deaths.ts";
import { startTestServer, type TestServer } from "../support/postgres.ts";
import { serveRpc } from "../support/serve-rpc.ts";
import { createWorld, put, submissionView, until, type World } from "../support/world.ts";
import { JOBS, JOINT, SOLE, type Scenario, type Stage } from "./scenarios.ts";

const VICTIM = join(import.meta.dirname, "../support/victim.ts");
/** So that the survivor soon takes over what the victim held. */
const LEASE_MILLISECONDS = 1_000;

describe("crash sweep", () => {
  for (const scenario of [...SOLE, ...JOINT, ...JOBS])
    for (const death of scenario.deaths)
      it(`${scenario.name} is settled once after kill -9 at ${death[0]}, passage ${death[1]}`, () =>
        survive(scenario, death, null)).timeout(90_000);

  describe("on PostgreSQL", () => {
    let server: TestServer;
    before(async function () {
      this.timeout(60_000);
      server = await startTestServer();
    });
    after(() => server.stop());

    for (const scenario of [SOLE[0]!, JOINT[0]!, JOBS[0]!])
      for (const death of scenario.deaths)
        it(`${scenario.name} is settled once after kill -9 at ${death[0]}, passage ${death[1]}`, async () =>
          survive(scenario, death, await server.createDatabase())).timeout(90_000);
  });
});

/** @param database URL of a PostgreSQL database; null for a file of the operator's own. */
async function survive(
  scenario: Scenario,
  [boundary, passage]: Death,
  database: string | null,
): Promise<void> {
  const world = await createWorld({
    ASSAY_DOCUMENT_WINDOW_SECONDS: "30",
    ...scenario.env,
    ...(database === null ? {} : { ASSAY_DATABASE_URL: database }),
  });
  const start = async () =>
    world.start(
      database === null
        ? {}
        : { store: await openPostgresStore(database, { leaseMilliseconds: LEASE_MILLISECONDS }) },
    );
  const evm = await serveRpc(world.evm.rpc());
  try {
    const stage = await scenario.set(world);
    const victim = spawn(process.execPath, [VICTIM, boundary, String(passage), String(LEASE_MILLISECONDS)], {
      env: {
        ...bareEnvironment(tmpdir()),
        ...world.env,
        ASSAY_EVM_RPC_URL: evm.url,
        ASSAY_LOG_LEVEL: "silent",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const death = once(victim, "close");
    await begin(stage, victim.stdout, start);
    const end = await Promise.race([death, mined(world)]);
    expect((end as unknown[] | null)?.[1], `never came to ${boundary}`).to.equal("SIGKILL");

    const all = stage.ends.length;
    expect(await signatures(world, database), "of a pair both are signed, or neither").to.be.oneOf([0, all]);
    const operator = await start();
    for (const [agreementId] of stage.ends)
      await until(world, operator, agreementId, ["SETTLED"], { seconds: 2, timeout: 30_000 });
    for (const [agreementId, code] of stage.ends) {
      const settlements = world.evm.settlements.filter((one) => one.agreementId === agreementId);
      expect(settlements.map(({ verdict }) => verdict.outcome)).to.deep.equal([code]);
      const { verdict } = (await submissionView(operator, agreementId)) ?? {};
      expect(verdict?.verdictHash).to.equal(settlements[0]?.verdict.verdictHash);
    }
    await operator.stop();
    expect(world.evm.settlements).to.have.length(all);
    expect(world.genLayer.transactions).to.have.length(stage.judged);
    expect(world.evm.broadcast.size).to.equal(all);
    expect(await signatures(world, database)).to.equal(all);
  } finally {
    await evm.stop();
    await world.end();
  }
}

/** Certificates in the sign-once table. */
async function signatures({ dataDir }: World, database: string | null): Promise<number> {
  const sql = "SELECT count(*) AS n FROM signed";
  if (database === null) {
    const file = new DatabaseSync(join(dataDir, "operator.sqlite"), { readOnly: true });
    const count = Number(file.prepare(sql).get()?.["n"]);
    file.close();
    return count;
  }
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ n: string }>(sql);
  await client.end();
  return Number(rows[0]?.n);
}

/** Blocks come until somebody else ends the wait, or far too long has passed. */
async function mined(world: World): Promise<null> {
  for (let turn = 0; turn < 1_000; turn++) {
    world.evm.mine(1, 2);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return null;
}

/** Sees to it that the documents are stored, and submits. */
async function begin(
  { documents, submit }: Stage,
  stdout: NodeJS.ReadableStream,
  start: () => Promise<Operator>,
): Promise<void> {
  const url = await listening(stdout);
  if (url === null || !(await give({ url }, documents))) {
    // The first boundaries come before the victim has the documents: they come with a restart then.
    const operator = await start();
    await give(operator, documents);
    await operator.stop();
  }
  submit();
}

/** Where the victim listens; null when it died before it said so. */
async function listening(stdout: NodeJS.ReadableStream): Promise<string | null> {
  const line = await Promise.race([
    once(stdout, "data").then(([data]) => String(data)),
    once(stdout, "close").then(() => null),
  ]);
  return line === null ? null : (JSON.parse(line) as { url: string }).url;
}

/** Whether the operator lived to store all of the documents. */
async function give(operator: Pick<Operator, "url">, documents: readonly Uint8Array[]): Promise<boolean> {
  for (const bytes of documents) {
    const stored = await put(operator, bytes).catch(() => null);
    if (stored?.ok !== true) return false;
  }
  return true;
}
