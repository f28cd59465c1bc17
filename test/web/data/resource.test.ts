import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { createResource } from "../../../web/src/data/resource.ts";

const nothing = (): void => undefined;

describe("a reading", () => {
  it("is not begun before somebody looks", async () => {
    let loads = 0;
    createResource({ load: () => Promise.resolve(++loads) });
    await sleep(5);
    expect(loads).to.equal(0);
  });

  it("is made once for all who look, and tells each", async () => {
    let loads = 0;
    const resource = createResource({ load: () => Promise.resolve(++loads) });
    let told = 0;
    resource.subscribe(() => (told += 1));
    resource.subscribe(() => (told += 1));
    await sleep(5);
    expect(loads).to.equal(1);
    expect(told).to.equal(2);
    expect(resource.snapshot()).to.include({ value: 1, error: null, isLoading: false });
  });

  it("keeps the last value when a newer one can't be had, and says why", async () => {
    const gone = new Error("gone");
    let loads = 0;
    const resource = createResource({
      load: () => (++loads === 1 ? Promise.resolve("first") : Promise.reject(gone)),
    });
    resource.subscribe(nothing);
    await sleep(5);
    resource.reload();
    expect(resource.snapshot()).to.include({ value: "first", isLoading: true });
    await sleep(5);
    expect(resource.snapshot()).to.include({ value: "first", error: gone, isLoading: false });
  });

  it("is given up when another is asked for, whichever ends first", async () => {
    const waiting: ((value: string) => void)[] = [];
    const resource = createResource<string>({
      load: () => new Promise((resolve) => waiting.push(resolve)),
    });
    resource.subscribe(nothing);
    resource.reload();
    waiting[1]?.("new");
    waiting[0]?.("old");
    await sleep(5);
    expect(resource.snapshot().value).to.equal("new");
  });

  it("is repeated while somebody looks, and stops when nobody does", async () => {
    let loads = 0;
    const resource = createResource({ every: 5, load: () => Promise.resolve(++loads) });
    const leave = resource.subscribe(nothing);
    while (loads < 3) await sleep(5);
    leave();
    await sleep(15);
    const then = loads;
    await sleep(30);
    expect(loads).to.equal(then);
  });

  it("asks nobody while it can't be seen", async () => {
    let loads = 0;
    let isVisible = true;
    const resource = createResource({
      every: 5,
      isVisible: () => isVisible,
      load: () => Promise.resolve(++loads),
    });
    const leave = resource.subscribe(nothing);
    while (loads < 2) await sleep(5);
    isVisible = false;
    await sleep(10);
    const then = loads;
    await sleep(30);
    expect(loads).to.equal(then);
    isVisible = true;
    while (loads === then) await sleep(5);
    leave();
  });
});
