import type { Browser } from "playwright-core";
import { buildPage } from "../../../web/host/build.ts";
import { servePage, type ServedPage } from "../../../web/host/serve.ts";
import { profileOf } from "../../../scripts/local/profile.ts";
import { startStack, type Stack } from "../../../scripts/local/stack.ts";
import { launchChromium } from "./chromium.ts";

/** Everything that the tests of the page stand in: the whole stack, the built page, and a browser. */
export interface World {
  readonly stack: Stack;
  readonly served: ServedPage;
  readonly browser: Browser;
  /** Origins that the page may talk to. */
  readonly origins: readonly string[];
}

/** Seconds between blocks: quick, and slow enough for a transaction to be seen waiting. */
export const BLOCK_SECONDS = 0.25;

let opening: Promise<World> | undefined;

/** The world of all test files; it is made for the first that asks, and ends with the last. */
export function openWorld(): Promise<World> {
  opening ??= makeWorld();
  return opening;
}

async function makeWorld(): Promise<World> {
  // The browser first: when there is none, that should cost nobody the start of a stack.
  const browser = await launchChromium();
  try {
    const [stack] = await Promise.all([
      startStack({
        blockTimeSeconds: BLOCK_SECONDS,
        pollMilliseconds: 150,
        finalityWindowSeconds: 0.5,
        rankSeconds: 2,
        rounds: 2,
        guests: 4,
      }),
      buildPage(),
    ]);
    const profile = profileOf(stack);
    const served = await servePage({ networks: [profile] });
    const { evm, genLayerRpcUrl, index, operators } = profile;
    const places = [served.url, evm.rpcUrl, genLayerRpcUrl, index, ...operators];
    const origins = places.flatMap((url) => (url === undefined ? [] : [new URL(url).origin]));
    return { stack, served, browser, origins };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

after("the world of the page ends", async function () {
  this.timeout(60_000);
  const world = await opening?.catch(() => undefined);
  if (world === undefined) return;
  await world.browser.close();
  await world.served.stop();
  await world.stack.stop();
});
