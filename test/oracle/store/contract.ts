import { expect } from "chai";
import type { Address, Hex, Terms } from "@assay/protocol";
import { transition, type SubmissionState } from "../../../oracle/src/core/index.ts";
import {
  HALT_KEY,
  HaltedError,
  LONGEST_PAUSE_MILLISECONDS,
  NonceTakenError,
  READ_FROM_KEY,
  RebuildRangeError,
  SignedOtherwiseError,
  StaleVersionError,
  StoreError,
  type NewOutbox,
  type Store,
  type SubmissionRow,
} from "../../../oracle/src/store/index.ts";
import { rejection } from "../support/rejection.ts";
import { AGREEMENT, PASS, SUBMISSION, hash, state } from "../support/states.ts";
import { describeReaders } from "./readers-contract.ts";

export const KEY = { agreementId: AGREEMENT, submissionHash: SUBMISSION };
const ESCROW: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const OPERATOR: Address = "0x5d5c99EdF529335160FF180fA141Dd4967fc00D2";

/** Adds a submission, as the ingest does. */
export async function add(
  store: Store,
  after: SubmissionState = state(),
  nextAt: number | null = 100,
): Promise<SubmissionRow> {
  await store.commit({ at: 1, submissions: [{ before: null, after, events: ["SubmissionSeen"], nextAt }] });
  return (await store.submission(after))!;
}

export function outbox(nonce: number, byte: number, key = KEY): NewOutbox {
  return {
    key,
    purpose: "settle",
    chain: "evm",
    signer: OPERATOR,
    transaction: { transactionHash: hash(byte), raw: "0x02", nonce, fee: 10n ** 20n },
  };
}

const TERMS: Terms = {
  buyer: "0x1111111111111111111111111111111111111111",
  seller: "0x2222222222222222222222222222222222222222",
  reward: 25_000_000n,
  agreementHash: hash(0xda),
  adjudicator: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
  adjudicatorConfig: hash(0xcc),
  deliverBy: 3_600,
  adjudicateBy: 5_000,
  noVerdictSellerBps: 5_000,
  salt: 1n,
};

export const SIGNED = {
  escrow: ESCROW,
  key: KEY,
  digest: hash(0xd1),
  operator: OPERATOR,
  verdict: "{}",
  record: "{}",
  signature: "0x01" as Hex,
};

/**
 * What every store has to do, whatever database stands behind it.
 *
 * @param open gives an empty store.
 */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(`${name} store`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    describeReaders(open);

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

    it("keeps a line of history for each step of a change, and one version", async () => {
      const row = await add(store);
      const anchored = transition(row.state, { type: "Anchored" }).state;
      const after = transition(anchored, { type: "DocumentsReady", rounds: 2, at: 5 }).state;
      const earlier = [{ after: anchored, events: ["Anchored" as const] }];
      const { submissions } = await store.commit({
        at: 2,
        submissions: [{ before: row, earlier, after, events: ["DocumentsReady"], nextAt: 7 }],
      });
      expect(submissions).to.deep.equal([await store.submission(KEY)]);
      expect(submissions[0]?.version).to.equal(2);
      expect((await store.transitions(KEY)).map(({ from, to, event }) => [from, to, event])).to.deep.equal([
        [null, "OBSERVED", "SubmissionSeen"],
        ["OBSERVED", "ANCHORED", "Anchored"],
        ["ANCHORED", "RELAY_READY", "DocumentsReady"],
      ]);
    });

    it("lets go of a submission with the write that says when to look again", async () => {
      const row = await add(store);
      const [claimed] = await store.claim(100, 1);
      expect(claimed).to.deep.equal(row);
      expect(await store.claim(100, 1), "nobody else gets it").to.deep.equal([]);
      await store.commit({ at: 2, postponed: [{ row, nextAt: 500 }], released: [KEY] });
      expect(await store.claim(499, 1)).to.deep.equal([]);
      expect(
        (await store.claim(500, 1)).map(({ state: { submissionHash } }) => submissionHash),
      ).to.deep.equal([SUBMISSION]);
      await store.postpone(row, 600, null);
      expect(await store.claim(600, 1), "a postponed one is let go as well").to.have.length(1);
    });

    it("journals no intent with a submission that changed meanwhile, though it only postpones it", async () => {
      const row = await add(store);
      const after = transition(row.state, { type: "Anchored" }).state;
      await store.commit({ at: 2, submissions: [{ before: row, after, events: ["Anchored"], nextAt: 7 }] });
      const error = await rejection(
        store.commit({ at: 3, postponed: [{ row, nextAt: 500 }], outbox: [outbox(5, 0x81)] }),
      );
      expect(error).to.be.instanceOf(StaleVersionError);
      expect(await store.openNonces("evm", OPERATOR)).to.deep.equal([]);
      expect((await store.submission(KEY))?.nextAt).to.equal(7);
    });

    it("tells the number of each new intent, and what the intents of a submission became", async () => {
      const { intents } = await store.commit({ at: 1, outbox: [outbox(1, 0x81), outbox(2, 0x82)] });
      const rows = await store.outboxOf(KEY);
      expect(intents).to.deep.equal(rows.map(({ id, attempt }) => ({ id, attempt })));
      const [first, second] = intents.map(({ id }) => id);
      await store.commit({
        at: 2,
        outboxStatus: [{ outboxId: second!, status: "included", judgeTx: hash(0x92) }],
      });
      await store.commit({
        at: 3,
        outboxStatus: [{ outboxId: first!, status: "included", judgeTx: hash(0x91) }],
      });
      expect(await store.judgeTransactionsOf(KEY)).to.deep.equal([hash(0x91), hash(0x92)]);
      expect(await store.judgeTransactionsOf({ ...KEY, submissionHash: hash(1) })).to.deep.equal([]);
    });

    it("refuses a change that was computed from an old version, and writes nothing of it", async () => {
      const row = await add(store);
      const after = transition(row.state, { type: "Anchored" }).state;
      const change = { before: row, after, events: ["Anchored" as const], nextAt: 7 };
      await store.commit({ at: 2, submissions: [change] });
      const error = await rejection(
        store.commit({ at: 3, submissions: [change], outbox: [outbox(0, 0x81)] }),
      );
      expect(error).to.be.instanceOf(StaleVersionError);
      expect(await store.outboxOf(KEY)).to.deep.equal([]);
      expect(await store.transitions(KEY)).to.have.length(2);
    });

    it("refuses a submission that exists already", async () => {
      await add(store);
      expect(await rejection(add(store))).to.be.instanceOf(StaleVersionError);
    });

    it("signs once: another digest for the submission is refused, the same one is welcome", async () => {
      await store.commit({ at: 1, signed: [SIGNED] });
      await store.commit({ at: 2, signed: [SIGNED] });
      const error = await rejection(store.commit({ at: 3, signed: [{ ...SIGNED, digest: hash(0xd2) }] }));
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
      const open = await store.openOutbox(KEY, "settle");
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
      expect(await store.openNonces("evm", OPERATOR)).to.deep.equal([]);
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
      const due = await store.claim(50, 10);
      expect(due.map((row) => row.state.submissionHash)).to.deep.equal([hash(3), hash(1), hash(2)]);
      expect(due[2]?.attempts).to.equal(1);
      expect(due[2]?.lastError).to.equal("the endpoint is down");
    });

    it("hands out what is due later than any pause lasts: the clock was set back since", async () => {
      await add(store, state(), 50 + LONGEST_PAUSE_MILLISECONDS);
      await add(store, state({ submissionHash: hash(2) }), 50 + LONGEST_PAUSE_MILLISECONDS + 1);
      expect(
        (await store.claim(50, 10)).map(({ state: { submissionHash } }) => submissionHash),
      ).to.deep.equal([hash(2)]);
    });

    it("gives a row to one worker at a time, until that lets go of it", async () => {
      await add(store, state(), 10);
      const [row] = await store.claim(50, 10);
      await store.renew();
      expect(await store.claim(50, 10)).to.deep.equal([]);
      await add(store, state({ submissionHash: hash(2) }), 20);
      expect((await store.claim(50, 1)).map(({ state: { submissionHash } }) => submissionHash)).to.deep.equal(
        [hash(2)],
      );
      await store.release([row!.state]);
      expect(
        (await store.claim(50, 10)).map(({ state: { submissionHash } }) => submissionHash),
      ).to.deep.equal([SUBMISSION]);
    });

    it("lets one piece of work at a time take a signer's nonce", async () => {
      const order: string[] = [];
      const work = (label: string) => async () => {
        order.push(`${label} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(`${label} ends`);
        if (label === "first") throw new Error("in vain");
      };
      const results = await Promise.allSettled([
        store.withSigner("evm", OPERATOR, work("first")),
        store.withSigner("evm", OPERATOR, work("second")),
      ]);
      expect(order).to.deep.equal(["first begins", "first ends", "second begins", "second ends"]);
      expect(results.map(({ status }) => status)).to.deep.equal(["rejected", "fulfilled"]);
    });

    it("lets its only worker read the chain", async () => {
      expect(await store.readsChain()).to.equal(true);
      expect(await store.readsChain()).to.equal(true);
    });

    it("writes nothing that was signed while signing is halted, and everything else", async () => {
      const row = await add(store);
      await store.commit({ at: 1, outbox: [outbox(0, 0x81)] });
      const open = await store.openOutbox(KEY, "settle");
      await store.setMeta(HALT_KEY, "a drill");
      const bump = { transactionHash: hash(0x83), raw: "0x03" as Hex, nonce: 0, fee: 1n };
      for (const signed of [
        { signed: [SIGNED] },
        { outbox: [outbox(1, 0x82)] },
        { bumps: [{ outboxId: open!.id, transaction: bump }] },
      ]) {
        const error = await rejection(store.commit({ at: 2, ...signed }));
        expect(error).to.be.instanceOf(HaltedError);
        expect((error as HaltedError).reason).to.equal("a drill");
      }
      const after = transition(row.state, { type: "Anchored" }).state;
      await store.commit({ at: 3, submissions: [{ before: row, after, events: ["Anchored"], nextAt: 7 }] });
      await store.setMeta(HALT_KEY, null);
      await store.commit({ at: 4, signed: [SIGNED] });
      expect(await store.outboxOf(KEY)).to.have.length(1);
    });

    it("keeps writes apart that come at the same time: what one of them refuses, the others don't lose", async () => {
      const row = await add(store);
      const after = transition(row.state, { type: "Anchored" }).state;
      const change = { before: row, after, events: ["Anchored" as const], nextAt: 7 };
      const results = await Promise.allSettled([
        store.commit({ at: 2, submissions: [change] }),
        store.commit({ at: 3, submissions: [change], attestations: [{ ...SIGNED, operator: OPERATOR }] }),
        store.setMeta("kept", "yes"),
      ]);
      expect(results.map(({ status }) => status).filter((status) => status === "rejected")).to.have.length(1);
      expect((await store.submission(KEY))?.version).to.equal(2);
      expect(await store.transitions(KEY)).to.have.length(2);
      expect(await store.meta("kept")).to.equal("yes");
    });

    it("refuses to read on from where the chain is not read any more", async () => {
      const at = (number: number) => ({
        number,
        hash: hash(number),
        final: { number: 1, hash: hash(1), timestamp: 1 },
      });
      await store.commit({ at: 1, cursorBefore: null, cursor: at(2) });
      await store.commit({ at: 2, cursorBefore: at(2), cursor: at(3) });
      for (const cursorBefore of [null, at(2), { number: 3, hash: hash(9) }]) {
        const error = await rejection(store.commit({ at: 3, cursorBefore, cursor: at(4) }));
        expect(error).to.be.instanceOf(StaleVersionError);
      }
      expect((await store.cursor())?.number).to.equal(3);
    });

    it("makes due what waits for a document, by either hash", async () => {
      const terms = { ...TERMS, agreementHash: hash(0xda) };
      await store.commit({
        at: 1,
        agreements: [{ agreementId: AGREEMENT, terms, job: null, ignoredReason: null }],
      });
      await add(store, state({ name: "ANCHORED" }), 9_000);
      expect(await store.wakeDocument(hash(0xdb), 50)).to.equal(0);
      expect(await store.wakeDocument(hash(0xda), 50)).to.equal(1);
      expect(await store.wakeDocument(SUBMISSION, 60)).to.equal(1);
      expect((await store.submission(KEY))?.nextAt).to.equal(60);
      await store.commit({ at: 70, wakes: [SUBMISSION] });
      expect((await store.submission(KEY))?.nextAt).to.equal(70);
    });

    it("keeps the terms of agreements, amounts of 256 bits included, and lists the newest first", async () => {
      const agreement = (byte: number) => ({
        agreementId: hash(byte),
        terms: { ...TERMS, reward: 2n ** 256n - 1n, salt: 2n ** 255n + BigInt(byte) },
        job: null,
        ignoredReason: byte === 2 ? "of another quorum" : null,
      });
      for (const byte of [1, 2, 3]) await store.commit({ at: byte, agreements: [agreement(byte)] });
      await store.commit({ at: 4, agreements: [{ ...agreement(1), ignoredReason: "changed" }] });
      expect(await store.agreement(hash(1))).to.deep.equal(agreement(1));
      expect(await store.agreement(hash(4))).to.equal(null);
      const first = await store.agreements({ limit: 2, cursor: null });
      expect(first.items).to.deep.equal([agreement(3), agreement(2)]);
      const rest = await store.agreements({ limit: 2, cursor: first.cursor });
      expect(rest).to.deep.equal({ items: [agreement(1)], cursor: null });
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
      expect((await store.claim(50, 10)).map((row) => row.state.name)).to.have.members([
        "OBSERVED",
        "JUDGING",
      ]);
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

    it("tells since when the longest unmoved submission of each state has not moved", async () => {
      const before = await add(store);
      const later = state({ submissionHash: hash(2) });
      await store.commit({
        at: 7,
        submissions: [{ before: null, after: later, events: ["SubmissionSeen"], nextAt: 100 }],
      });
      await store.postpone(before, 200, "a failure is no move");
      expect([...(await store.oldestByState())]).to.deep.equal([["OBSERVED", 1]]);
      const { state: after } = transition(before.state, { type: "Anchored" });
      const again = (await store.submission(KEY))!;
      await store.commit({
        at: 9,
        submissions: [{ before: again, after, events: ["Anchored"], nextAt: 100 }],
      });
      expect([...(await store.oldestByState())]).to.have.deep.members([
        ["OBSERVED", 7],
        ["ANCHORED", 9],
      ]);
    });

    it("forgets for a rebuild what the chain tells again, and nothing that was signed", async () => {
      await store.commit({
        at: 1,
        agreements: [{ agreementId: AGREEMENT, terms: TERMS, job: null, ignoredReason: null }],
      });
      await add(store);
      const attestation = {
        digest: SIGNED.digest,
        operator: OPERATOR,
        key: KEY,
        signature: SIGNED.signature,
      };
      const verdict = { key: KEY, verdictHash: PASS.verdictHash, record: "{}" };
      await store.commit({
        at: 2,
        signed: [SIGNED],
        outbox: [outbox(3, 0x81)],
        attestations: [attestation],
        verdicts: [verdict],
        cursor: { number: 12, hash: hash(12), final: { number: 11, hash: hash(11), timestamp: 11 } },
      });
      expect(await store.rebuild(10)).to.deep.equal({ fromBlock: 10, submissions: 1, logs: 0 });
      expect(await store.submission(KEY)).to.equal(null);
      expect(await store.cursor()).to.equal(null);
      expect(await store.meta(READ_FROM_KEY)).to.equal("10");
      expect(await store.signed(ESCROW, KEY)).to.deep.equal(SIGNED);
      expect(await store.attestations(KEY)).to.deep.equal([attestation]);
      expect(await store.verdict(PASS.verdictHash)).to.deep.equal(verdict);
      expect((await store.openOutbox(KEY, "settle"))?.attempts[0]?.raw).to.equal("0x02");
      expect(await store.highestNonce("evm", OPERATOR)).to.equal(3);
    });

    it("keeps conflicts and what was finished before the block through a rebuild", async () => {
      await add(store, state({ name: "CONFLICT" }), null);
      const early = { number: 4, hash: hash(4) };
      await add(store, state({ submissionHash: hash(2), name: "SETTLED", block: early }), null);
      expect((await store.rebuild(10)).submissions).to.equal(0);
      expect((await store.submission(KEY))?.state.name).to.equal("CONFLICT");
    });

    it("refuses a rebuild that would lose a submission, and changes nothing", async () => {
      await add(store);
      const final = { number: 11, hash: hash(11), timestamp: 11 };
      await store.commit({ at: 2, cursor: { number: 12, hash: hash(12), final } });
      const error = await rejection(store.rebuild(11));
      expect(error).to.be.instanceOf(RebuildRangeError);
      expect((error as RebuildRangeError).highest).to.equal(10);
      expect((await store.cursor())?.number).to.equal(12);
      expect(await store.submission(KEY)).to.not.equal(null);
    });

    it("follows a delivery again whose block was not final before a rebuild", async () => {
      await add(store, state({ name: "SETTLE_INCLUDED", verdict: PASS }));
      await store.commit({ at: 2, outbox: [outbox(3, 0x81)] });
      const open = await store.openOutbox(KEY, "settle");
      await store.commit({ at: 3, outboxStatus: [{ outboxId: open!.id, status: "included" }] });
      await store.rebuild(10);
      expect(await store.openNonces("evm", OPERATOR)).to.deep.equal([3]);
    });

    it("fails as a whole when the database is gone", async () => {
      await store.close();
      expect(await rejection(store.cursor())).to.be.instanceOf(StoreError);
      expect(await rejection(store.setMeta("livez", "1"))).to.be.instanceOf(StoreError);
    });
  });
}
