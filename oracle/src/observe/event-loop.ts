import { monitorEventLoopDelay } from "node:perf_hooks";

/** How late the event loop runs its timers, on a watch of one reader's own. */
export interface EventLoop {
  /** Seconds of the longest delay since this was asked last. */
  longest(): number;
}

/** All watches of one operator over the event loop that it runs in. */
export interface EventLoopWatch {
  readonly metrics: EventLoop;
  readonly livez: EventLoop;
  /** Milliseconds by which it is late now: work that waits, the bridge's own included, waits that long. */
  lateness(): number;
  /** Ends them. Until then their timers keep whatever they were made with. */
  stop(): void;
}

/** Milliseconds between two measurements of a delay. A timer is always late by up to this much. */
const RESOLUTION = 20;
/** Milliseconds between two looks at the clock. */
const EVERY = 50;

export function watchEventLoop(): EventLoopWatch {
  const [metrics, livez] = [watchDelay(), watchDelay()];
  let due = performance.now() + EVERY;
  const timer = setInterval(() => {
    due = performance.now() + EVERY;
  }, EVERY).unref();
  return {
    metrics,
    livez,
    lateness: () => Math.max(0, performance.now() - due),
    stop() {
      clearInterval(timer);
      metrics.stop();
      livez.stop();
    },
  };
}

function watchDelay(): EventLoop & { stop(): void } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  return {
    longest() {
      const delay = Math.max(0, histogram.max / 1e9 - RESOLUTION / 1_000);
      histogram.reset();
      return Number.isFinite(delay) ? delay : 0;
    },
    stop() {
      histogram.disable();
    },
  };
}
