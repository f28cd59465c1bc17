import { expect } from "chai";
import { Journal } from "../../../oracle/src/run/journal.ts";
import { openSqliteStore, type Store } from "../../../oracle/src/store/index.ts";
import { KEY, outbox } from "../store/contract.ts";
import { hash } from "../support/states.ts";

describe("journal", () => {
  let store: Store;
  let reads: number;
  let journal: Journal;
  beforeEach(() => {
    store = openSqliteStore(":memory:");
    reads = 0;
    journal = new Journal(
      {
        openOutbox: (...parameters) => {
          reads++;
          return store.openOutbox(...parameters);
        },
      },
      KEY,
    );
  });
  afterEach(() => store.close());

  it("reads an intent once", async () => {
    await store.commit({ at: 1, outbox: [outbox(5, 0x81)] });
    expect((await journal.open("settle"))?.nonce).to.equal(5);
    expect((await journal.open("settle"))?.nonce).to.equal(5);
    expect(await journal.open("relay")).to.equal(null);
    expect(reads).to.equal(2);
  });

  it("knows an intent that was just written as the database does", async () => {
    const intent = outbox(5, 0x81);
    const { intents } = await store.commit({ at: 3, outbox: [intent] });
    journal.begun(intent, intents[0]!, 3);
    expect(await journal.open("settle")).to.deep.equal(await store.openOutbox(KEY, "settle"));
    expect(reads).to.equal(0);
  });

  it("knows what is about to be written as the database will", async () => {
    await store.commit({ at: 1, outbox: [outbox(5, 0x81)] });
    const { id } = (await journal.open("settle"))!;
    const { transaction } = outbox(5, 0x82);
    const changes = [
      { sent: [{ transactionHash: hash(0x81), block: 7 }] },
      { bumps: [{ outboxId: id, transaction }] },
      { outboxStatus: [{ outboxId: id, status: "included", judgeTx: hash(0x91) }] },
    ] as const;
    for (const [index, change] of changes.entries()) {
      await journal.take(change, 2 + index);
      await store.commit({ at: 2 + index, ...change });
      expect(await journal.open("settle")).to.deep.equal(await store.openOutbox(KEY, "settle"));
    }
    expect(reads).to.equal(1);
  });

  it("asks again once an intent is closed: an older one may be open", async () => {
    await store.commit({ at: 1, outbox: [outbox(5, 0x81)] });
    await store.commit({ at: 1, outbox: [outbox(6, 0x82)] });
    const { id } = (await journal.open("settle"))!;
    const change = { outboxStatus: [{ outboxId: id, status: "closed" as const }] };
    await journal.take(change, 2);
    await store.commit({ at: 2, ...change });
    expect((await journal.open("settle"))?.nonce).to.equal(5);
  });
});
