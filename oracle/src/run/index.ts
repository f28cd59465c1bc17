export { startLoop, type Loop } from "./loop.ts";
export { BoundaryError, guardBoundary, type Boundary, type BoundaryHook } from "./boundary.ts";
export { reverifyIdentities, verifyIdentities } from "./identities.ts";
export type { Lane } from "./lane.ts";
export { SETTLE_CHAIN, relayLane, settleLane } from "./lanes.ts";
export { rankOf } from "./rank.ts";
export { createRunner, type Runner } from "./runner.ts";
export { chainView, type Services } from "./services.ts";
export {
  NotYetError,
  type Change,
  type Found,
  type Handler,
  type Signing,
  type Step,
  type Waiting,
  type Work,
} from "./step.ts";
