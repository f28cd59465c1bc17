import { expect } from "chai";
import { walk } from "../../../scripts/local/walk.ts";
import { visit } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

/** Milliseconds by the clock until the page answers on a CPU a quarter as fast as this one. */
const BAR = 1_500;
const THROTTLING = 4;
/** The best of so many counts: what else the machine does only ever adds to one. No more are taken than are needed. */
const ATTEMPTS = 8;
/** What the Web Vitals call good; a page that keeps its places has far less. */
const MOST_SHIFT = 0.1;

interface Measured {
  /** Milliseconds since navigation until what is looked for stood there and the page had nothing left to do. */
  interactive: number | null;
  shift: number;
}

interface Found extends Measured {
  /** Milliseconds of CPU that the page's main thread had used by then: what else the machine does changes it little. */
  readonly cpu: number;
}

describe("the page's speed", function () {
  this.timeout(120_000);
  let world: World;

  before(async () => {
    world = await openWorld();
  });

  /** Visits a path for the first time, with a browser that is slowed down as told, and types where it can. */
  async function measure(path: string, sign: string, throttling = 1): Promise<Found> {
    const visitor = await visit(world);
    try {
      const { page, context } = visitor;
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: throttling });
      await session.send("Performance.enable", { timeDomain: "threadTicks" });
      await page.addInitScript((selector) => {
        const measured: Measured = { interactive: null, shift: 0 };
        Object.assign(window, { measured });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            measured.shift += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        const look = (): void => {
          if (document.querySelector(selector) === null || document.querySelector("h1") === null)
            requestAnimationFrame(look);
          else requestIdleCallback(() => (measured.interactive = performance.now()));
        };
        requestAnimationFrame(look);
      }, sign);
      await page.goto(`${world.served.url}${path}`, { waitUntil: "commit" });
      await page.waitForFunction(
        () => (window as unknown as { measured: Measured }).measured.interactive !== null,
      );
      const { metrics } = await session.send("Performance.getMetrics");
      const cpu = 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Infinity);
      const field = page.locator(sign).first();
      if (await field.evaluate((element) => element instanceof HTMLInputElement)) {
        await field.pressSequentially("0x12");
        expect(await field.inputValue()).to.equal("0x12");
      }
      await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
      await page.waitForLoadState("networkidle").catch(() => undefined);
      return { ...(await page.evaluate(() => (window as unknown as { measured: Measured }).measured)), cpu };
    } finally {
      await visitor.leave();
    }
  }

  it("can be used within 1.5 s, on a CPU a quarter as fast as this one", async () => {
    const times: number[] = [];
    while (times.length < ATTEMPTS && !times.some((time) => time < BAR))
      times.push((await measure("/", "#search", THROTTLING)).interactive ?? Infinity);
    expect(Math.min(...times), `milliseconds: ${times.map(Math.round).join(", ")}`).to.be.lessThan(BAR);
  });

  it("takes little of the CPU until then, on its first page and on the form", async () => {
    for (const [path, sign, most] of [
      ["/", "#search", 200],
      ["/new", "main input[data-field=title]", 400],
    ] as const) {
      const times: number[] = [];
      while (times.length < ATTEMPTS && !times.some((time) => time < most))
        times.push((await measure(path, sign)).cpu);
      expect(Math.min(...times), "the browser counts CPU time").to.be.greaterThan(0);
      const told = `${path}, milliseconds: ${times.map(Math.round).join(", ")}`;
      expect(Math.min(...times), told).to.be.lessThan(most);
    }
  });

  it("keeps its places while it reads", async () => {
    const { agreementId } = await walk(world.stack, "password-reset/strict", () => undefined);
    for (const [path, sign] of [
      ["/", "#search"],
      [`/agreement/${agreementId}`, ".timeline"],
      ["/totals", ".figures"],
    ] as const)
      expect((await measure(path, sign)).shift, path).to.be.at.most(MOST_SHIFT);
  });
});
