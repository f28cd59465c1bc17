import { expect } from "chai";
import { createLogger } from "../../../oracle/src/index.ts";
import { createRunner, type Handler, type Services } from "../../../oracle/src/run/index.ts";
import { openSqliteStore } from "../../../oracle/src/store/index.ts";
import { PASS, hash, state } from "../support/states.ts";

const NOW = 1_000_000;
/** More than are worked on at the same time. */
const CROWD = 100;

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
    const handlers = new Proxy({} as Parameters<typeof createRunner>[0]["handlers"], {
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
    const runner = createRunner({
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
      closeWindow: rest,
      boundary: () => undefined,
      draining: () => false,
    });
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
});
