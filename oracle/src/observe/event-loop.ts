import { monitorEventLoopDelay } from "node:perf_hooks";

/** How late the event loop runs its timers. */
export interface EventLoop {
  /** Seconds of the longest delay since this was asked last. */
  longest(): number;
  stop(): void;
}

/** Milliseconds between two measurements. A timer is always late by up to this much. */
const RESOLUTION = 20;

export function watchEventLoop(): EventLoop {
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
