import { expect } from "chai";
import {
  COMPONENTS,
  createHealth,
  createLogger,
  createOperationsRoutes,
  type Metrics,
} from "../../../oracle/src/observe/index.ts";
import { StoreError, type Store } from "../../../oracle/src/store/index.ts";
import { createWorld, type World } from "../support/world.ts";

describe("paths for those who run the operator", () => {
  let now: number;
  let writes: number;
  let counts: number;
  let full: boolean;
  let delay: number;

  beforeEach(() => {
    [now, writes, counts, full, delay] = [1_000, 0, 0, false, 0];
  });

  function routes() {
    const health = createHealth(() => now);
    for (const component of COMPONENTS) health.report(component, "healthy", "well");
    const store: Pick<Store, "setMeta" | "countByState"> = {
      setMeta() {
        writes++;
        return full ? Promise.reject(new StoreError("database or disk is full")) : Promise.resolve();
      },
      countByState() {
        counts++;
        return Promise.resolve(new Map([["SETTLED", counts]] as const));
      },
    };
    const metrics: Pick<Metrics, "contentType" | "text"> = {
      contentType: "text/plain",
      text: () => Promise.resolve("assay_halted 0\n"),
    };
    const app = createOperationsRoutes({
      store: store as Store,
      health,
      metrics: metrics as Metrics,
      eventLoop: { longest: () => delay },
      clock: { now: () => now },
      logger: createLogger("silent", { write: () => undefined }),
      view: () => ({
        latest: { number: 90, timestamp: 1 },
        final: { number: 80, timestamp: 1 },
        announced: 95,
      }),
      haltReason: () => null,
      providers: () => [],
      peers: () => [],
    });
    return { app, health };
  }

  describe("/livez", () => {
    it("writes to the database, at most once a second", async () => {
      const { app } = routes();
      expect((await app.request("/livez")).status).to.equal(200);
      await app.request("/livez");
      expect(writes).to.equal(1);
      now += 1_000;
      await app.request("/livez");
      expect(writes).to.equal(2);
    });

    it("fails when the database takes no write, and says why", async () => {
      full = true;
      const response = await routes().app.request("/livez");
      expect(response.status).to.equal(503);
      expect(await response.json()).to.deep.equal({
        alive: false,
        eventLoopDelaySeconds: 0,
        database: "StoreError: database or disk is full",
      });
    });

    it("fails when the event loop is stuck", async () => {
      delay = 11;
      expect((await routes().app.request("/livez")).status).to.equal(503);
    });
  });

  describe("/readyz", () => {
    it("tells of every component, how far behind it is, and what it works on", async () => {
      const response = await routes().app.request("/readyz");
      expect(response.status).to.equal(200);
      const body = (await response.json()) as Record<string, unknown>;
      expect(body).to.deep.include({
        ready: true,
        draining: false,
        halted: null,
        submissions: { SETTLED: 1 },
      });
      expect(body["read"]).to.deep.include({ blocksBehind: 5, blocksUntilFinal: 10 });
      expect(Object.keys(body["components"] as object)).to.have.members([...COMPONENTS]);
    });

    it("counts at most once a second, and judges every time", async () => {
      const { app, health } = routes();
      await app.request("/readyz");
      health.report("signing", "unhealthy", "halted");
      expect((await app.request("/readyz")).status).to.equal(503);
      expect(counts).to.equal(1);
    });
  });

  it("/metrics gives the exposition in its own type", async () => {
    const response = await routes().app.request("/metrics");
    expect(response.headers.get("content-type")).to.match(/^text\/plain/);
    expect(await response.text()).to.equal("assay_halted 0\n");
  });

  describe("of a running operator", () => {
    let world: World;
    beforeEach(async () => {
      world = await createWorld();
    });
    afterEach(() => world.end());

    interface Readiness {
      readonly components: Record<string, { status: string; detail: string }>;
      readonly providers: { chain: string; provider: string; status: string }[];
    }

    async function readiness(url: string, holds: (body: Readiness) => boolean): Promise<Readiness> {
      for (let tries = 0; tries < 100; tries++) {
        const body = (await (await fetch(`${url}/readyz`)).json()) as Readiness;
        if (holds(body)) return body;
        world.evm.mine();
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      throw new Error("it never came to hold");
    }

    it("show each endpoint of both chains, by its origin", async () => {
      const { url } = await world.start();
      const { providers } = await readiness(url, ({ providers: all }) =>
        all.some(({ chain, status }) => chain === "genlayer" && status === "alive"),
      );
      expect(providers.map(({ chain, provider }) => [chain, provider])).to.deep.equal([
        ["evm", "http://127.0.0.1:9"],
        ["genlayer", world.genLayerUrl],
      ]);
    });

    it("take it out of service when its clock is two minutes away from a fresh block", async () => {
      const { url } = await world.start({ clock: { now: () => Date.now() + 200_000 } });
      const { components } = await readiness(url, ({ components: all }) =>
        /ahead of the blocks of evm$/.test(all["clock"]?.detail ?? ""),
      );
      expect(components["clock"]?.status).to.equal("unhealthy");
      expect((await fetch(`${url}/readyz`)).status).to.equal(503);
    });

    it("say that one signature pays, and stay ready", async () => {
      const { url } = await world.start();
      const { components } = await readiness(
        url,
        ({ components: all }) => all["quorum"]?.status === "degraded",
      );
      expect(components["quorum"]?.detail).to.match(/^ONE signature of 1 is enough to pay/);
    });
  });
});
