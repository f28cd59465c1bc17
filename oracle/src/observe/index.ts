export { systemClock, type Clock } from "./clock.ts";
export { watchEventLoop, type EventLoop, type EventLoopWatch } from "./event-loop.ts";
export {
  COMPONENTS,
  createHealth,
  type Component,
  type ComponentHealth,
  type Health,
  type HealthStatus,
} from "./health.ts";
export { createLogger, describeError, errorText, type Logger } from "./logger.ts";
export { INVARIANTS, createMetrics, type Invariant, type Metrics, type Surroundings } from "./metrics.ts";
export { createOperationsRoutes } from "./routes.ts";
export { createWatchman, type Watchman } from "./surroundings.ts";
export { watchStore } from "./watched-store.ts";
export { createWorkLog, follow, followHandlers, type Work, type WorkLog } from "./work.ts";
