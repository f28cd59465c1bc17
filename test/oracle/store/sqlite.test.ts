import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "chai";
import type { Address, Hex } from "@assay/protocol";
import { transition, type SubmissionState } from "../../../oracle/src/core/index.ts";
import {
  NonceTakenError,
  SignedOtherwiseError,
  StaleVersionError,
  StoreError,
  StoreLockedError,
  StoreVersionError,
  openSqliteStore,
  type NewOutbox,
  type Store,
  type SubmissionRow,
} from "../../../oracle/src/store/index.ts";
import { rejection } from "../support/rejection.ts";
import { AGREEMENT, PASS, SUBMISSION, hash, state } from "../support/states.ts";

const KEY = { agreementId: AGREEMENT, submissionHash: SUBMISSION };
const ESCROW: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const OPERATOR: Address = "0x5d5c99EdF529335160FF180fA141Dd4967fc00D2";

async function add(
  store: Store,
  after: SubmissionState = state(),
  nextAt: number | null = 100,
): Promise<SubmissionRow> {
  await store.commit({ at: 1, submissions: [{ before: null, after, events: ["SubmissionSeen"], nextAt }] });
  return (await store.submission(after))!;
}

function outbox(nonce: number, byte: number, key = KEY): NewOutbox {
  return {
    key,
    purpose: "settle",
    chain: "evm",
    signer: OPERATOR,
    transaction: { transactionHash: hash(byte), raw: "0x02", nonce, fee: 10n ** 20n },
  };
}

describe("SQLite store", () => {
  let store: Store;
  beforeEach(() => {
    store = openSqliteStore(":memory:");
  });
  afterEach(() => store.close());

  it("keeps a submission with its version and its history", async () => {
    const row = await add(store);
    expect(row.version).to.equal(1);
    const after = transition(row.state, { type: "Anchored" }).state;
    await store.commit({ at: 2, submissions: [{ before: row, after, events: ["Anchored"], nextAt: 7 }] });

    const changed = await store.submission(KEY);
    expect(changed?.state).to.deep.equal(after);
    expect(changed?.version).to.equal(2);
    expect(changed?.nextAt).to.equal(7);
    expect(
      (await store.transitions(KEY)).map(({ from, to, event, at }) => [from, to, event, at]),
    ).to.deep.equal([
      [null, "OBSERVED", "SubmissionSeen", 1],
      ["OBSERVED", "ANCHORED", "Anchored", 2],
    ]);
  });

  it("refuses a change that was computed from an old version, and writes nothing of it", async () => {
    const row = await add(store);
    const after = transition(row.state, { type: "Anchored" }).state;
    const change = { before: row, after, events: ["Anchored" as const], nextAt: 7 };
    await store.commit({ at: 2, submissions: [change] });
    const error = await rejection(store.commit({ at: 3, submissions: [change], outbox: [outbox(0, 0x81)] }));
    expect(error).to.be.instanceOf(StaleVersionError);
    expect(await store.outboxOf(KEY)).to.deep.equal([]);
    expect(await store.transitions(KEY)).to.have.length(2);
  });

  it("refuses a submission that exists already", async () => {
    await add(store);
    expect(await rejection(add(store))).to.be.instanceOf(StaleVersionError);
  });

  it("signs once: another digest for the submission is refused, the same one is welcome", async () => {
    const signed = {
      escrow: ESCROW,
      key: KEY,
      digest: hash(0xd1),
      operator: OPERATOR,
      verdict: "{}",
      record: "{}",
      signature: "0x01" as Hex,
    };
    await store.commit({ at: 1, signed: [signed] });
    await store.commit({ at: 2, signed: [signed] });
    const error = await rejection(store.commit({ at: 3, signed: [{ ...signed, digest: hash(0xd2) }] }));
    expect(error).to.be.instanceOf(SignedOtherwiseError);
    expect((error as SignedOtherwiseError).signedDigest).to.equal(hash(0xd1));
    expect((await store.signed(ESCROW, KEY))?.digest).to.equal(hash(0xd1));
  });

  it("gives a nonce to one intent only, until that is given up", async () => {
    await store.commit({ at: 1, outbox: [outbox(5, 0x81)] });
    const other = { agreementId: AGREEMENT, submissionHash: hash(0x52) };
    expect(await rejection(store.commit({ at: 2, outbox: [outbox(5, 0x82, other)] }))).to.be.instanceOf(
      NonceTakenError,
    );
    const [open] = await store.openOutboxOf("evm", OPERATOR);
    await store.commit({ at: 3, outboxStatus: [{ outboxId: open!.id, status: "closed" }] });
    await store.commit({ at: 4, outbox: [outbox(5, 0x82, other)] });
    expect(await store.highestNonce("evm", OPERATOR)).to.equal(5);
  });

  it("keeps every set of signed bytes of an intent, with prices beyond 64 bits", async () => {
    await store.commit({ at: 1, outbox: [outbox(0, 0x81)] });
    const row = await store.openOutbox(KEY, "settle");
    const bump = { transactionHash: hash(0x82), raw: "0x03" as Hex, nonce: 0, fee: 2n ** 70n };
    await store.commit({ at: 2, bumps: [{ outboxId: row!.id, transaction: bump }] });
    await store.commit({ at: 3, sent: [{ transactionHash: hash(0x82), block: 9 }] });
    const attempts = (await store.openOutbox(KEY, "settle"))?.attempts;
    expect(
      attempts?.map(({ transactionHash, fee, sentAt, sentAtBlock }) => [
        transactionHash,
        fee,
        sentAt,
        sentAtBlock,
      ]),
    ).to.deep.equal([
      [hash(0x81), 10n ** 20n, null, null],
      [hash(0x82), 2n ** 70n, 3, 9],
    ]);
  });

  it("numbers the intents of one purpose", async () => {
    await store.commit({ at: 1, outbox: [outbox(0, 0x81)] });
    await store.commit({ at: 2, outbox: [outbox(1, 0x82)] });
    expect((await store.outboxOf(KEY)).map(({ attempt }) => attempt)).to.deep.equal([1, 2]);
  });

  it("gives up the intents of what is closed", async () => {
    const row = await add(store);
    await store.commit({ at: 1, outbox: [outbox(0, 0x81)] });
    const after = transition(row.state, { type: "Closed", reason: "expired" }).state;
    await store.commit({ at: 2, submissions: [{ before: row, after, events: ["Closed"], nextAt: null }] });
    expect(await store.openOutboxOf("evm", OPERATOR)).to.deep.equal([]);
  });

  it("hands out what is due, the longest waiting first, what failed last", async () => {
    for (const [byte, nextAt] of [
      [1, 30],
      [2, 10],
      [3, 20],
      [4, 99],
      [5, null],
    ] as const)
      await add(store, state({ submissionHash: hash(byte) }), nextAt);
    const failing = (await store.submission({ agreementId: AGREEMENT, submissionHash: hash(2) }))!;
    await store.postpone(failing, 5, "the endpoint is down");
    const due = await store.due(50, 10);
    expect(due.map((row) => row.state.submissionHash)).to.deep.equal([hash(3), hash(1), hash(2)]);
    expect(due[2]?.attempts).to.equal(1);
    expect(due[2]?.lastError).to.equal("the endpoint is down");
  });

  it("does not postpone a row that changed meanwhile", async () => {
    const row = await add(store);
    const after = transition(row.state, { type: "Anchored" }).state;
    await store.commit({ at: 2, submissions: [{ before: row, after, events: ["Anchored"], nextAt: 7 }] });
    await store.postpone(row, 1_000, "late");
    expect((await store.submission(KEY))?.nextAt).to.equal(7);
  });

  it("wakes what waits for a block to become final, and what has its deadline behind it", async () => {
    await add(store, state({ block: { number: 10, hash: hash(1) } }), 9_000);
    await add(store, state({ submissionHash: hash(2), name: "JUDGING" }), 9_000);
    expect(await store.wakeFinal({ number: 9, timestamp: 1_500 }, 50)).to.equal(0);
    expect(await store.wakeFinal({ number: 10, timestamp: 1_500 }, 50)).to.equal(1);
    expect(await store.wakeFinal({ number: 11, timestamp: 5_001 }, 40)).to.equal(2);
    expect((await store.due(50, 10)).map((row) => row.state.name)).to.have.members(["OBSERVED", "JUDGING"]);
  });

  it("removes blocks that left the chain together with their logs", async () => {
    const block = (number: number) => ({
      number,
      hash: hash(number),
      parent: hash(number - 1),
      timestamp: number,
    });
    const log = (blockNumber: number) => ({
      blockNumber,
      blockHash: hash(blockNumber),
      logIndex: 0,
      transactionHash: hash(0x33),
      agreementId: AGREEMENT,
      name: "Submitted",
      data: { submissionHash: SUBMISSION },
    });
    const final = { number: 1, hash: hash(1), timestamp: 1 };
    await store.commit({
      at: 1,
      blocks: [1, 2, 3].map(block),
      logs: [2, 3].map(log),
      cursor: { number: 3, hash: hash(3), final },
    });
    await store.commit({ at: 2, rewindTo: 2, cursor: { number: 2, hash: hash(2), final } });
    expect((await store.logsBetween(0, 9)).map(({ blockNumber }) => blockNumber)).to.deep.equal([2]);
    expect(await store.block(3)).to.equal(null);
    expect((await store.cursor())?.number).to.equal(2);
  });

  it("forgets final blocks that hold no log", async () => {
    const block = (number: number) => ({
      number,
      hash: hash(number),
      parent: hash(number - 1),
      timestamp: number,
    });
    await store.commit({
      at: 1,
      blocks: [1, 2, 3].map(block),
      cursor: { number: 3, hash: hash(3), final: { number: 3, hash: hash(3), timestamp: 3 } },
    });
    expect(await store.block(1)).to.equal(null);
    expect((await store.block(3))?.hash).to.equal(hash(3));
  });

  it("keeps a document once", async () => {
    const document = { hash: hash(0xdd), kind: "agreement" as const, bytes: new Uint8Array([1, 2, 3]) };
    expect(await store.putDocument(document, 1)).to.equal(true);
    expect(await store.putDocument(document, 2)).to.equal(false);
    expect(await store.documentBytes()).to.equal(3);
    expect((await store.document(hash(0xdd)))?.bytes).to.deep.equal(new Uint8Array([1, 2, 3]));
  });

  it("counts submissions by state", async () => {
    await add(store);
    await add(store, state({ submissionHash: hash(2), name: "SETTLED", verdict: PASS }), null);
    expect([...(await store.countByState())]).to.have.deep.members([
      ["OBSERVED", 1],
      ["SETTLED", 1],
    ]);
  });

  it("fails as a whole when the database is gone", async () => {
    await store.close();
    expect(await rejection(store.cursor())).to.be.instanceOf(StoreError);
    expect(await rejection(store.setMeta("livez", "1"))).to.be.instanceOf(StoreError);
  });
});

describe("SQLite store in a file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-store-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const file = () => join(folder, "inner", "operator.sqlite");

  it("is there again after a restart, with the same schema", async () => {
    const first = openSqliteStore(file());
    await add(first);
    await first.close();
    const second = openSqliteStore(file());
    expect((await second.submission(KEY))?.state.name).to.equal("OBSERVED");
    await second.close();
  });

  it("syncs every commit to disk, through a write-ahead log", async () => {
    const store = openSqliteStore(file());
    await store.close();
    const database = new DatabaseSync(file());
    expect(database.prepare("PRAGMA journal_mode").get()).to.deep.include({ journal_mode: "wal" });
    database.close();
  });

  it("belongs to one process; a second one is told so in one sentence", async () => {
    const url = new URL("../../../oracle/src/store/index.ts", import.meta.url).href;
    const holder = spawn(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `const { openSqliteStore } = await import(${JSON.stringify(url)}); openSqliteStore(${JSON.stringify(file())}); console.log("held"); setInterval(() => {}, 1000);`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    try {
      await once(holder.stdout, "data");
      expect(() => openSqliteStore(file()))
        .to.throw(StoreLockedError)
        .with.property(
          "message",
          `another operator process uses ${file()}; stop it, or give this one its own ASSAY_DATA_DIR`,
        );
    } finally {
      holder.kill("SIGKILL");
      await once(holder, "exit");
    }
    // A killed holder leaves nothing behind that would keep the next one out.
    await openSqliteStore(file()).close();
  });

  it("refuses a database of a newer service", async () => {
    await openSqliteStore(file()).close();
    const database = new DatabaseSync(file());
    database.exec("PRAGMA user_version = 999");
    database.close();
    expect(() => openSqliteStore(file()))
      .to.throw(StoreVersionError)
      .with.property("found", 999);
  });

  it("refuses a file that is no database", async () => {
    const { writeFile, mkdir } = await import("node:fs/promises");
    await mkdir(join(folder, "inner"));
    await writeFile(file(), "this is not a database, however long it may be ".repeat(40));
    expect(() => openSqliteStore(file())).to.throw(StoreError, /can't be opened/);
  });
});
