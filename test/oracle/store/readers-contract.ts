import { expect } from "chai";
import type { Address, Hex, Terms } from "@assay/protocol";
import type { LogRow, Store } from "../../../oracle/src/store/index.ts";
import { hash } from "../support/states.ts";

const account = (byte: number): Address => `0x${byte.toString(16).padStart(2, "0").repeat(20)}`;
const [ANN, BEN, CAT] = [account(0x11), account(0x22), account(0x33)];

function terms(buyer: Address, seller: Address): Terms {
  return {
    buyer,
    seller,
    reward: 2n ** 200n,
    agreementHash: hash(0xda),
    adjudicator: account(0x44),
    adjudicatorConfig: hash(0xcc),
    deliverBy: 3_600,
    adjudicateBy: 8_000,
    noVerdictSellerBps: 0,
    salt: 1n,
  };
}

function log(agreementId: Hex, blockNumber: number, name: string): LogRow {
  return {
    blockNumber,
    blockHash: hash(blockNumber),
    logIndex: 0,
    transactionHash: hash(0x70 + blockNumber),
    agreementId,
    name,
    data: {},
  };
}

/** What the API asks of every store: parties, their agreements and lives, remembered answers. */
export function describeReaders(open: () => Promise<Store>): void {
  describe("for readers", () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
      await store.commit({
        at: 1,
        agreements: [
          { agreementId: hash(1), terms: terms(ANN, BEN), job: null, ignoredReason: null },
          { agreementId: hash(2), terms: terms(BEN, CAT), job: null, ignoredReason: null },
          { agreementId: hash(3), terms: terms(ANN, CAT), job: null, ignoredReason: "another quorum's" },
        ],
        blocks: [1, 2, 3].map((number) => ({
          number,
          hash: hash(number),
          parent: hash(number - 1),
          timestamp: number * 10,
        })),
        logs: [log(hash(1), 1, "Funded"), log(hash(2), 2, "Funded"), log(hash(1), 3, "Accepted")],
      });
    });
    afterEach(() => store.close());

    const idsOf = async (query: Omit<Parameters<Store["agreements"]>[0], "limit" | "cursor">) =>
      (await store.agreements({ limit: 10, cursor: null, ...query })).items.map(
        ({ agreementId }) => agreementId,
      );

    it("finds a party's agreements in either role, newest first", async () => {
      expect(await idsOf({ party: BEN })).to.deep.equal([hash(2), hash(1)]);
      expect(await idsOf({ party: BEN, role: "seller" })).to.deep.equal([hash(1)]);
      expect(await idsOf({ party: BEN, role: "buyer" })).to.deep.equal([hash(2)]);
      expect(await idsOf({ party: account(0x99) })).to.deep.equal([]);
    });

    it("pages through a party's agreements without a gap or a repeat", async () => {
      const first = await store.agreements({ limit: 1, cursor: null, party: ANN });
      const second = await store.agreements({ limit: 1, cursor: first.cursor, party: ANN });
      expect([...first.items, ...second.items].map(({ agreementId }) => agreementId)).to.deep.equal([
        hash(3),
        hash(1),
      ]);
      expect(second.cursor).to.equal(null);
    });

    it("lists every party once, page by page", async () => {
      expect(await store.parties({ limit: 2, cursor: null })).to.deep.equal({
        items: [ANN, BEN],
        cursor: BEN,
      });
      expect(await store.parties({ limit: 2, cursor: BEN })).to.deep.equal({ items: [CAT], cursor: null });
    });

    it("keeps jobs apart: they are listed on demand, and no part of anybody's history", async () => {
      const job = { commerce: account(0x77), jobId: 2n ** 256n - 1n };
      const row = { agreementId: hash(4), terms: terms(ANN, account(0x78)), job, ignoredReason: null };
      await store.commit({ at: 2, agreements: [row] });
      expect(await store.agreement(hash(4))).to.deep.equal(row);
      expect(await idsOf({})).to.deep.equal([hash(3), hash(2), hash(1)]);
      expect(await idsOf({ venue: "escrow", party: ANN })).to.deep.equal([hash(3), hash(1)]);
      expect(await idsOf({ venue: "jobs" })).to.deep.equal([hash(4)]);
      expect(await idsOf({ venue: "jobs", party: ANN, role: "buyer" })).to.deep.equal([hash(4)]);
      expect(await idsOf({ venue: "jobs", party: BEN })).to.deep.equal([]);
      expect((await store.lives(ANN)).map(({ agreement }) => agreement.agreementId)).to.deep.equal([
        hash(1),
        hash(3),
      ]);
      expect((await store.parties({ limit: 10, cursor: null })).items).to.not.include(account(0x78));
    });

    it("forgets a job's terms with the submission that they were read for", async () => {
      const job = { commerce: account(0x77), jobId: 1n };
      const row = { agreementId: hash(4), terms: terms(ANN, BEN), job, ignoredReason: null };
      await store.commit({
        at: 2,
        agreements: [row],
        logs: [
          { ...log(hash(4), 2, "JobCreated"), logIndex: 7 },
          { ...log(hash(4), 3, "JobSubmitted"), logIndex: 7 },
        ],
      });
      await store.rebuild(3);
      expect(await store.agreement(hash(4))).to.equal(null);
      expect((await store.logsOf(hash(4))).map(({ name }) => name)).to.deep.equal(["JobCreated"]);
      expect(await store.agreement(hash(1))).to.not.equal(null);
    });

    it("tells the lives of a party's agreements in chain order, with amounts beyond 64 bits", async () => {
      const lives = await store.lives(ANN);
      expect(
        lives.map(({ agreement, logs }) => [
          agreement.agreementId,
          agreement.terms.reward,
          logs.map(({ name, timestamp }) => [name, timestamp]),
        ]),
      ).to.deep.equal([
        [
          hash(1),
          2n ** 200n,
          [
            ["Funded", 10],
            ["Accepted", 30],
          ],
        ],
        [hash(3), 2n ** 200n, []],
      ]);
    });

    const answer = (key: string, expiresAt: number, body = "{}") => ({
      key,
      requestHash: hash(0xaa),
      status: 200,
      body,
      expiresAt,
    });

    it("remembers the first answer of a key until it expires", async () => {
      await store.rememberAnswer(answer("one", 100, "first"), 1, 10);
      expect((await store.rememberAnswer(answer("one", 200, "second"), 2, 10)).body).to.equal("first");
      expect(await store.rememberedAnswer("one", 99)).to.deep.equal(answer("one", 100, "first"));
      expect(await store.rememberedAnswer("one", 100)).to.equal(null);
      expect((await store.rememberAnswer(answer("one", 300, "third"), 100, 10)).body).to.equal("third");
    });

    it("forgets the oldest answers beyond the most that it may keep", async () => {
      for (const [index, key] of ["one", "two", "three"].entries())
        await store.rememberAnswer(answer(key, 100 + index), 1, 2);
      expect(await store.rememberedAnswer("one", 1)).to.equal(null);
      expect(await store.rememberedAnswer("two", 1)).to.not.equal(null);
      expect(await store.rememberedAnswer("three", 1)).to.not.equal(null);
    });
  });
}
