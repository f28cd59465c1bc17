import { expect } from "chai";
import pg from "pg";
import type { Address, Hex } from "@assay/protocol";
import { transition } from "../../../oracle/src/core/index.ts";
import {
  NonceTakenError,
  SignedOtherwiseError,
  StaleVersionError,
  StoreError,
  StoreVersionError,
  openPostgresStore,
  type Store,
} from "../../../oracle/src/store/index.ts";
import { startTestServer, type TestServer } from "../support/postgres.ts";
import { rejection } from "../support/rejection.ts";
import { AGREEMENT, hash, state } from "../support/states.ts";
import { KEY, SIGNED, add, describeStore, outbox } from "./contract.ts";

const SIGNER: Address = "0x5d5c99EdF529335160FF180fA141Dd4967fc00D2";
const LEASE_MILLISECONDS = 250;

describe("PostgreSQL", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.stop());

  describeStore("PostgreSQL", async () => openPostgresStore(await server.createDatabase()));

  describe("shared by two workers", () => {
    let url: string;
    let one: Store;
    let other: Store;
    beforeEach(async () => {
      url = await server.createDatabase();
      // Both start at once on an empty database: one of them makes the schema.
      [one, other] = await Promise.all([open(), open()]);
    });
    afterEach(async () => {
      await one.close();
      await other.close();
    });
    const open = () => openPostgresStore(url, { leaseMilliseconds: LEASE_MILLISECONDS });

    async function query(sql: string): Promise<Record<string, unknown>[]> {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    }

    it("gives every row to one of them, however they race", async () => {
      for (let byte = 1; byte <= 40; byte++) await add(one, state({ submissionHash: hash(byte) }), byte);
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_unused, turn) => (turn % 2 === 0 ? one : other).claim(100, 4)),
      );
      const taken = claims.flat().map((row) => row.state.submissionHash);
      expect(taken).to.have.length(40);
      expect(new Set(taken).size).to.equal(40);
    });

    it("writes again what the server ended because two transactions waited for each other's rows", async () => {
      const [first, second] = [hash(1), hash(2)].map((submissionHash) => state({ submissionHash }));
      const rows = [await add(one, first), await add(one, second)].toReversed();
      const set = "UPDATE submissions SET next_at = 7 WHERE submission_hash =";
      const rival = new pg.Client({ connectionString: url });
      await rival.connect();
      try {
        await rival.query("BEGIN");
        await rival.query(`${set} '${hash(1)}'`);
        const written = one.commit({ at: 2, postponed: rows.map((row) => ({ row, nextAt: 50 })) });
        const blocked =
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE%'";
        while ((await query(blocked)).length === 0) await pause(10);
        // Whoever has waited for longest finds out, and is ended.
        await rival.query(`${set} '${hash(2)}'`);
        await rival.query("COMMIT");
        await written;
      } finally {
        await rival.end();
      }
      expect((await one.claim(50, 9)).map(({ nextAt }) => nextAt)).to.deep.equal([50, 50]);
    });

    it("gives the rows of a worker that says nothing more to the other one, when the lease ends", async () => {
      await add(one, state(), 10);
      expect(await one.claim(50, 10)).to.have.length(1);
      expect(await other.claim(50, 10)).to.deep.equal([]);
      await pause(LEASE_MILLISECONDS * 0.7);
      await one.renew();
      await pause(LEASE_MILLISECONDS * 0.7);
      expect(await other.claim(50, 10), "a renewed lease").to.deep.equal([]);
      await pause(LEASE_MILLISECONDS);
      expect(await other.claim(50, 10)).to.have.length(1);
      // The first one letting go late must not take the row from the second one.
      await one.release([KEY]);
      expect(await one.claim(50, 10)).to.deep.equal([]);
    });

    it("takes the step of one of two that computed it from the same version", async () => {
      const row = await add(one, state(), 10);
      const after = transition(row.state, { type: "Anchored" }).state;
      const change = { before: row, after, events: ["Anchored" as const], nextAt: 7 };
      const results = await Promise.allSettled(
        [one, other].map((store) => store.commit({ at: 2, submissions: [change] })),
      );
      const refused = results.filter((result) => result.status === "rejected");
      expect(refused).to.have.length(1);
      expect(refused[0]!.reason).to.be.instanceOf(StaleVersionError);
      expect(await one.transitions(KEY)).to.have.length(2);
    });

    it("lets one of two different signatures for a submission in", async () => {
      const digests: Hex[] = [hash(0xd1), hash(0xd2)];
      const results = await Promise.allSettled(
        [one, other].map((store, index) =>
          store.commit({ at: 1, signed: [{ ...SIGNED, digest: digests[index]! }] }),
        ),
      );
      const refused = results.filter((result) => result.status === "rejected");
      expect(refused).to.have.length(1);
      expect(refused[0]!.reason).to.be.instanceOf(SignedOtherwiseError);
      const kept = (await one.signed(SIGNED.escrow, KEY))!.digest;
      expect((refused[0]!.reason as SignedOtherwiseError).signedDigest).to.equal(kept);
      expect(results[digests.indexOf(kept)]!.status).to.equal("fulfilled");
    });

    it("gives a nonce to one of two intents that come together", async () => {
      const keys = [KEY, { agreementId: AGREEMENT, submissionHash: hash(0x52) }];
      const results = await Promise.allSettled(
        [one, other].map((store, index) =>
          store.commit({ at: 1, outbox: [outbox(5, 0x81 + index, keys[index])] }),
        ),
      );
      const refused = results.filter((result) => result.status === "rejected");
      expect(refused).to.have.length(1);
      expect(refused[0]!.reason).to.be.instanceOf(NonceTakenError);
      expect(await one.openNonces("evm", SIGNER)).to.deep.equal([5]);
    });

    it("lets one of them take a signer's nonce at a time, and lets go of it when one dies", async () => {
      const order: string[] = [];
      const work = (label: string) => async () => {
        order.push(`${label} begins`);
        await pause(20);
        order.push(`${label} ends`);
      };
      await Promise.all(
        [one, other].map((store, index) => store.withSigner("evm", SIGNER, work(`${index}`))),
      );
      expect(order[1]?.slice(0, 1)).to.equal(order[0]?.slice(0, 1));
      expect(order[3]?.slice(0, 1)).to.equal(order[2]?.slice(0, 1));

      // As when a process is killed: the server sees the connection end.
      const dying = one.withSigner("evm", SIGNER, async () => {
        await killConnections("one holds it");
        await pause(50);
      });
      await other.withSigner("evm", SIGNER, work("survivor"));
      await dying;
      expect(order.slice(-2)).to.deep.equal(["survivor begins", "survivor ends"]);
    });

    it("has one reader of the chain, and another one once that is gone", async () => {
      expect(await one.readsChain()).to.equal(true);
      expect(await other.readsChain()).to.equal(false);
      expect(await one.readsChain()).to.equal(true);
      await one.close();
      expect(await other.readsChain()).to.equal(true);
    });

    it("is read by another worker when the reader's connection breaks", async () => {
      expect(await one.readsChain()).to.equal(true);
      await killConnections("the reader has it");
      await pause(20);
      expect(await other.readsChain()).to.equal(true);
      expect(await one.readsChain()).to.equal(false);
    });

    it("has every commit on disk before it is acknowledged, whatever the server's default is", async () => {
      await query(`
        CREATE TABLE witnessed (setting TEXT);
        CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO witnessed VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
        CREATE TRIGGER witness AFTER INSERT ON meta FOR EACH ROW EXECUTE FUNCTION witness()`);
      expect(await query("SHOW synchronous_commit")).to.deep.equal([{ synchronous_commit: "off" }]);
      await one.setMeta("key", "value");
      expect(await query("SELECT setting FROM witnessed")).to.deep.equal([{ setting: "on" }]);
    });

    it("refuses a database of a newer service", async () => {
      await query("UPDATE schema_version SET version = 999");
      const error = await rejection(open());
      expect(error).to.be.instanceOf(StoreVersionError);
      expect((error as StoreVersionError).found).to.equal(999);
    });

    it("leaves copies to pg_dump", async () => {
      expect(String(await rejection(one.backup("copy")))).to.match(/StoreError: .*use pg_dump/);
    });

    async function killConnections(_because: string): Promise<void> {
      await query("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted");
    }
  });

  it("says that the database can't be used, without its URL", async () => {
    const error = await rejection(openPostgresStore("postgres://user:CANARY@127.0.0.1:9/none"));
    expect(error).to.be.instanceOf(StoreError);
    expect(String(error)).to.match(/the database of ASSAY_DATABASE_URL can't be used: .*ECONNREFUSED/);
    expect(String(error)).to.not.include("CANARY");
  });
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
