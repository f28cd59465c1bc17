import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import pg from "pg";
import { bareEnvironment } from "@assay/localnet";
import type { Hex } from "@assay/protocol";
import type { Boundary, Operator } from "../../../oracle/src/index.ts";
import { openPostgresStore } from "../../../oracle/src/store/index.ts";
import { startTestServer, type TestServer } from "../support/postgres.ts";
import { serveRpc } from "../support/serve-rpc.ts";
import { createWorld, deliver, until, type World } from "../support/world.ts";

const WORKER = join(import.meta.dirname, "../support/victim.ts");
const LEASE_MILLISECONDS = 1_000;
const AGREEMENTS = 8;

/** Where a worker dies: while it reads the chain, and between the effects of three kinds. */
const DEATHS: readonly (readonly [Boundary, number])[] = [
  ["ingest.read", 20],
  ["relay.committed", 3],
  ["attest.done", 2],
  ["prepareSettlement.committed", 2],
];

describe("two workers of one operator on one PostgreSQL database", () => {
  let server: TestServer;
  let world: World;
  let url: string;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());
  beforeEach(async () => {
    world = await createWorld();
    url = await server.createDatabase();
  });
  afterEach(() => world.end());

  async function startWorker(): Promise<Operator> {
    return world.start({ store: await openPostgresStore(url, { leaseMilliseconds: LEASE_MILLISECONDS }) });
  }

  async function count(sql: string): Promise<number> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${sql}`)).rows[0]!.n);
    } finally {
      await client.end();
    }
  }

  /** Each agreement was judged once, signed once and paid once, and nothing is left over. */
  async function expectOnce(agreements: readonly Hex[]): Promise<void> {
    expect(world.genLayer.transactions).to.have.length(agreements.length);
    expect(world.evm.settlements.map(({ agreementId }) => agreementId)).to.have.members([...agreements]);
    expect(world.evm.broadcast.size).to.equal(agreements.length);
    expect(await count("signed")).to.equal(agreements.length);
    expect(await count("attempts")).to.equal(2 * agreements.length);
    expect(await count("submissions WHERE state <> 'SETTLED'")).to.equal(0);
    expect(await count("submissions WHERE lease_owner IS NOT NULL")).to.equal(0);
  }

  it("share the work: every submission once, nothing signed twice", async () => {
    const workers = [await startWorker(), await startWorker()];
    const agreements: Hex[] = [];
    // Documents go to either of them.
    for (let index = 0; index < AGREEMENTS; index++)
      agreements.push((await deliver(world, workers[index % 2]!)).agreementId);
    for (const agreementId of agreements)
      await until(world, workers[0]!, agreementId, ["SETTLED"], { timeout: 30_000 });
    await Promise.all(workers.map((worker) => worker.stop()));
    await expectOnce(agreements);
  }).timeout(60_000);

  for (const [boundary, passage] of DEATHS)
    it(`lose one at ${boundary}, passage ${passage}: the other one finishes its work, once`, async () => {
      const evm = await serveRpc(world.evm.rpc());
      try {
        const dying = spawn(
          process.execPath,
          [WORKER, boundary, String(passage), String(LEASE_MILLISECONDS)],
          {
            env: {
              ...bareEnvironment(tmpdir()),
              ...world.env,
              ASSAY_EVM_RPC_URL: evm.url,
              ASSAY_DATABASE_URL: url,
              ASSAY_LOG_LEVEL: "silent",
            },
            stdio: ["ignore", "pipe", "inherit"],
          },
        );
        const died = once(dying, "close") as Promise<[number | null, string | null]>;
        const [line] = (await once(dying.stdout, "data")) as [Buffer];
        const victim = JSON.parse(line.toString()) as Operator;
        const agreements: Hex[] = [];
        for (let index = 0; index < AGREEMENTS / 2; index++) {
          agreements.push((await deliver(world, victim)).agreementId);
          world.evm.mine(1, 1);
        }
        const mining = setInterval(() => {
          world.evm.mine(1, 1);
        }, 25);
        const [, signal] = await died;
        clearInterval(mining);
        expect(signal).to.equal("SIGKILL");

        const survivor = await startWorker();
        while (agreements.length < AGREEMENTS) agreements.push((await deliver(world, survivor)).agreementId);
        for (const agreementId of agreements)
          await until(world, survivor, agreementId, ["SETTLED"], { timeout: 30_000 });
        await survivor.stop();
        await expectOnce(agreements);
      } finally {
        await evm.stop();
      }
    }).timeout(60_000);
});
