export { systemClock, type Clock } from "./clock.ts";
export {
  COMPONENTS,
  createHealth,
  type Component,
  type ComponentHealth,
  type Health,
  type HealthStatus,
} from "./health.ts";
export { createLogger, describeError, errorText, type Logger } from "./logger.ts";
