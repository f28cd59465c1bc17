import { expect } from "chai";
import { Hono } from "hono";
import { MOST_AT_ONCE, limitRate } from "../../../oracle/src/http/middleware/limit.ts";

describe("room for requests", () => {
  const admitAll = { admit: () => 0 };

  /** An app whose answers come when they are told to. */
  function slowApp() {
    const waiting: (() => void)[] = [];
    const app = new Hono();
    app.use(limitRate(admitAll, 0));
    app.get("/slow", async (context) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return context.text("done");
    });
    app.get("/readyz", (context) => context.text("ready"));
    app.get("/fails", () => {
      throw new Error("no room is lost");
    });
    app.onError((error, context) => context.text(error.message, 500));
    // What the socket would say comes as bindings, even when it says nothing.
    return { ask: (path: string) => Promise.resolve(app.request(path, {}, {})), waiting };
  }

  it("is there for so many at a time; who finds none is told when to ask again", async () => {
    const { ask, waiting } = slowApp();
    const answers = Array.from({ length: MOST_AT_ONCE }, () => ask("/slow"));
    const refused = await ask("/slow");
    expect(refused.status).to.equal(429);
    expect(refused.headers.get("retry-after")).to.equal("1");
    expect(((await refused.json()) as { code: string }).code).to.equal("rate_limited");
    expect((await ask("/readyz")).status).to.equal(200);
    for (const answer of waiting.splice(0)) answer();
    for (const answer of await Promise.all(answers)) expect(answer.status).to.equal(200);
    const again = ask("/slow");
    await new Promise((resolve) => setImmediate(resolve));
    waiting[0]?.();
    expect((await again).status).to.equal(200);
  });

  it("is given back by a request that fails", async () => {
    const { ask } = slowApp();
    for (let index = 0; index < 2 * MOST_AT_ONCE; index++)
      expect(await (await ask("/fails")).text()).to.equal("no room is lost");
  });
});
