import { expect } from "chai";
import { walk } from "../../../scripts/local/walk.ts";
import { visit } from "../support/visitor.ts";
import { openWorld, type World } from "../support/world.ts";

/** Milliseconds from the navigation to a page that answers, with a CPU a quarter as fast. */
const BAR = 1_500;
const THROTTLING = 4;
/** The best of so many counts: the machine has other things to do. */
const ATTEMPTS = 5;
/** What the Web Vitals call good; a page that keeps its places has far less. */
const MOST_SHIFT = 0.1;

interface Measured {
  /** When the search stood there and the page had nothing left to do. */
  interactive?: number;
  shift: number;
}

describe("the page's speed", function () {
  this.timeout(120_000);
  let world: World;

  before(async () => {
    world = await openWorld();
  });

  async function measure(path: string, sign: string): Promise<Measured> {
    const visitor = await visit(world);
    try {
      const { page, context } = visitor;
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: THROTTLING });
      await page.addInitScript((selector) => {
        const measured: Measured = { shift: 0 };
        Object.assign(window, { measured });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            measured.shift += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        const look = (): void => {
          if (document.querySelector(selector) === null) requestAnimationFrame(look);
          else requestIdleCallback(() => (measured.interactive = performance.now()));
        };
        requestAnimationFrame(look);
      }, sign);
      await page.goto(`${world.served.url}${path}`);
      await page.waitForFunction(() => (window as unknown as { measured: Measured }).measured.interactive);
      await page.waitForLoadState("networkidle").catch(() => undefined);
      return await page.evaluate(() => (window as unknown as { measured: Measured }).measured);
    } finally {
      await visitor.leave();
    }
  }

  it("can be used within 1.5 s, on a CPU a quarter as fast as this one", async () => {
    const times: number[] = [];
    for (let attempt = 0; attempt < ATTEMPTS && Math.min(...times) > BAR / 2; attempt++)
      times.push((await measure("/", "#search")).interactive ?? Infinity);
    expect(Math.min(...times), `milliseconds: ${times.map(Math.round).join(", ")}`).to.be.lessThan(BAR);
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
