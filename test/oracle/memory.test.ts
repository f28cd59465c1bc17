import v8 from "node:v8";
import vm from "node:vm";
import { expect } from "chai";
import { createLogger, watchEventLoop, type Logger } from "../../oracle/src/observe/index.ts";
import { rejection } from "./support/rejection.ts";
import { createWorld, deliver, until } from "./support/world.ts";

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;

/** What every part of one operator was given, and nobody else holds. */
function logger(): Logger {
  return createLogger("silent");
}

/** Whether something is still held after what was under way has ended. */
async function isHeld(what: WeakRef<object>): Promise<boolean> {
  for (let turn = 0; turn < 50; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
    if (what.deref() === undefined) return false;
  }
  return true;
}

describe("the memory of an operator", () => {
  it("is free once it has stopped", async () => {
    const live = async () => {
      const world = await createWorld();
      const own = logger();
      const operator = await world.start({ logger: own });
      const { agreementId } = await deliver(world, operator);
      await until(world, operator, agreementId, ["SETTLED"]);
      await world.end();
      return new WeakRef(own);
    };
    expect(await isHeld(await live())).to.equal(false);
  });

  it("holds no timer of its watch over the event loop when it could not start", async () => {
    const world = await createWorld();
    const eventLoop = watchEventLoop();
    let stopped = 0;
    const stop = () => {
      stopped++;
      eventLoop.stop();
    };
    world.genLayer.chainId = 1;
    await rejection(world.start({ eventLoop: { ...eventLoop, stop } }));
    await world.end();
    expect(stopped).to.equal(1);
  });
});
