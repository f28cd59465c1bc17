import { expect } from "chai";
import { openSqliteStore, politeStore, type Store } from "../../../oracle/src/store/index.ts";
import { rejection } from "../support/rejection.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A store whose `meta` answers only when it is told to. */
function slowStore() {
  const waiting: (() => void)[] = [];
  const store = {
    meta: (key: string) => new Promise<string>((resolve) => waiting.push(() => resolve(key))),
  } as unknown as Store;
  return { store, waiting };
}

describe("politeStore", () => {
  it("lets so many calls through at a time, in the order in which they came", async () => {
    const { store, waiting } = slowStore();
    const polite = politeStore(store, 2);
    const answered: string[] = [];
    for (const key of ["a", "b", "c", "d"])
      void polite.meta(key).then((value) => answered.push(String(value)));
    await settle();
    expect(waiting).to.have.length(2);
    waiting[0]?.();
    await settle();
    expect([waiting.length, answered]).to.deep.equal([3, ["a"]]);
    waiting[2]?.();
    await settle();
    expect([waiting.length, answered]).to.deep.equal([4, ["a", "c"]]);
    waiting[1]?.();
    waiting[3]?.();
    await settle();
    expect(answered).to.have.members(["a", "b", "c", "d"]);
    void polite.meta("e");
    await settle();
    expect(waiting).to.have.length(5);
  });

  it("keeps nobody who uses the store itself waiting", async () => {
    const { store, waiting } = slowStore();
    const polite = politeStore(store, 1);
    void polite.meta("a");
    void polite.meta("b");
    void store.meta("bridge");
    await settle();
    expect(waiting).to.have.length(2);
  });

  it("gives a place back that a failure left, and passes the failure on", async () => {
    const store = {
      meta: () => Promise.reject(new Error("broken")),
      block: () => {
        throw new Error("broken at once");
      },
      cursor: () => Promise.resolve(null),
    } as unknown as Store;
    const polite = politeStore(store, 1);
    expect(String(await rejection(polite.meta("a")))).to.include("broken");
    expect(String(await rejection(polite.block(1)))).to.include("broken at once");
    expect(await polite.cursor()).to.equal(null);
  });

  it("is the whole store", async () => {
    const store = openSqliteStore(":memory:");
    const polite = politeStore(store, 4);
    await polite.setMeta("key", "value");
    expect(await store.meta("key")).to.equal("value");
    expect(await polite.agreement(`0x${"11".repeat(32)}`)).to.equal(null);
    await polite.close();
  });
});
