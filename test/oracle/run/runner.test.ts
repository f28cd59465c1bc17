import { expect } from "chai";
import { createLogger } from "../../../oracle/src/index.ts";
import { createRunner, type Handler, type Runner, type Services } from "../../../oracle/src/run/index.ts";
import { openSqliteStore, type Store } from "../../../oracle/src/store/index.ts";
import { PASS, hash, state } from "../support/states.ts";

const NOW = 1_000_000;
/** More than are worked on at the same time. */
const CROWD = 100;

type Handlers = Parameters<typeof createRunner>[0]["handlers"];

function runnerOf(store: Store, handlers: Handlers, closeWindow: Handler): Runner {
  return createRunner({
    services: {
      store,
      config: { pollMilliseconds: 1_000 },
      clock: { now: () => NOW },
      logger: createLogger("silent"),
      judge: { network: { name: "localnet", simulated: true }, relayer: PASS.judgeTx },
      submitter: { address: "0x5d5c99EdF529335160FF180fA141Dd4967fc00D2" },
      view: () => null,
    } as unknown as Services,
    handlers,
    closeWindow,
    boundary: () => undefined,
    draining: () => false,
  });
}

describe("runner", () => {
  it("works on what needs no lane while a crowd waits for one", async () => {
    const store = openSqliteStore(":memory:");
    const crowd = Array.from({ length: CROWD }, (_, index) =>
      state({ name: "QUORUM", verdict: PASS, submissionHash: hash(index) }),
    );
    const calm = state({ submissionHash: hash(200), name: "ANCHORED" });
    await store.commit({
      at: 1,
      submissions: [...crowd, calm].map((after, index) => ({
        before: null,
        after,
        events: ["SubmissionSeen"],
        nextAt: index,
      })),
    });
    const gate = Promise.withResolvers<undefined>();
    const seen: string[] = [];
    const rest: Handler = () => Promise.resolve({ wait: "finality" });
    const handlers = new Proxy({} as Handlers, {
      get: (_target, effect): Handler => {
        if (effect === "prepareSettlement")
          return async () => {
            seen.push("in the lane");
            await gate.promise;
            return { wait: "lane" };
          };
        return (row) => {
          seen.push(row.state.submissionHash);
          return rest(row);
        };
      },
    });
    const runner = runnerOf(store, handlers, rest);
    try {
      for (let step = 0; step < 4; step++) {
        await runner.step();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(seen).to.deep.equal(["in the lane", calm.submissionHash]);
    } finally {
      gate.resolve(undefined);
      await runner.idle();
      await store.close();
    }
  });

  it("lets a crowd through a lane one after the other, each once, and keeps none of it", async () => {
    const store = openSqliteStore(":memory:");
    const crowd = Array.from({ length: CROWD }, (_, index) =>
      state({ name: "QUORUM", verdict: PASS, submissionHash: hash(index) }),
    );
    await store.commit({
      at: 1,
      submissions: crowd.map((after, index) => ({
        before: null,
        after,
        events: ["SubmissionSeen"],
        nextAt: index,
      })),
    });
    const served: string[] = [];
    let inside = 0;
    const handlers = new Proxy({} as Handlers, {
      get:
        (): Handler =>
        async ({ state: { submissionHash } }) => {
          expect(++inside).to.equal(1);
          await new Promise((resolve) => setImmediate(resolve));
          inside--;
          served.push(submissionHash);
          return { wait: "finality" };
        },
    });
    const runner = runnerOf(store, handlers, () => Promise.reject(new Error("no window closes")));
    while ((await runner.step()) > 0);
    await runner.idle();
    expect(served.toSorted()).to.deep.equal(crowd.map(({ submissionHash }) => submissionHash).toSorted());
    expect(served.slice(0, 4)).to.deep.equal(crowd.slice(0, 4).map(({ submissionHash }) => submissionHash));
    const again = await store.claim(NOW + 3_600_000, CROWD);
    expect(again).to.have.length(CROWD);
    await store.close();
  });
});
