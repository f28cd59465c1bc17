import { Hono } from "hono";
import type { ChainView } from "../ingest/ingest.ts";
import type { ProviderState } from "../rpc/index.ts";
import type { Store } from "../store/index.ts";
import type { PeerState } from "../attest/peers.ts";
import type { Clock } from "./clock.ts";
import type { EventLoop } from "./event-loop.ts";
import type { Health } from "./health.ts";
import { errorText, type Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** Milliseconds for which an answer is given again: whoever asks often must not load the database. */
const CACHED = 1_000;
/** Seconds that the event loop may be late before the process is better started again. */
const LONGEST_DELAY = 10;

/** Paths for those who run the operator: whether it lives, whether it is ready, what it counts. */
export function createOperationsRoutes(options: {
  readonly store: Store;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly eventLoop: EventLoop;
  readonly clock: Clock;
  readonly logger: Logger;
  view(): ChainView | null;
  haltReason(): string | null;
  providers(): readonly ProviderState[];
  peers(): readonly PeerState[];
}): Hono {
  const { store, health, metrics, eventLoop, clock, logger } = options;
  const app = new Hono();

  const live = cached(async () => {
    const delay = eventLoop.longest();
    try {
      await store.setMeta("livez", String(clock.now()));
    } catch (error) {
      logger.error({ error }, "The database takes no write");
      return { alive: false, eventLoopDelaySeconds: delay, database: errorText(error) };
    }
    return { alive: delay < LONGEST_DELAY, eventLoopDelaySeconds: delay, database: "takes writes" };
  }, clock);

  const counted = cached(async () => Object.fromEntries(await store.countByState()), clock);

  app.get("/livez", async (context) => {
    const answer = await live();
    return context.json(answer, answer.alive ? 200 : 503);
  });

  app.get("/readyz", async (context) => {
    const ready = health.ready();
    return context.json(
      {
        ready,
        draining: health.draining(),
        halted: options.haltReason(),
        components: health.components(),
        read: readOf(options.view()),
        providers: options.providers(),
        peers: options.peers(),
        submissions: await counted(),
      },
      ready ? 200 : 503,
    );
  });

  app.get("/metrics", async (context) =>
    context.body(await metrics.text(), 200, { "content-type": metrics.contentType }),
  );

  return app;
}

function readOf(view: ChainView | null) {
  return view === null
    ? null
    : {
        ...view,
        blocksBehind: Math.max(0, view.announced - view.latest.number),
        blocksUntilFinal: Math.max(0, view.latest.number - view.final.number),
      };
}

/** The same answer for a while; one question at a time. */
function cached<T>(ask: () => Promise<T>, clock: Clock): () => Promise<T> {
  let answer: { readonly at: number; readonly value: Promise<T> } | null = null;
  return () => {
    const at = clock.now();
    if (answer === null || at - answer.at >= CACHED || at < answer.at) {
      const value = ask();
      answer = { at, value };
      value.catch(() => {
        answer = null;
      });
    }
    return answer.value;
  };
}
