export { startLoop, type Loop } from "./loop.ts";
export { BoundaryError, guardBoundary, type Boundary, type BoundaryHook } from "./boundary.ts";
export { reverifyIdentities, verifyIdentities } from "./identities.ts";
export { SETTLE_CHAIN, relayChain } from "./lanes.ts";
export { rankOf } from "./rank.ts";
export { createRunner, type Runner } from "./runner.ts";
export { chainView, type Services } from "./services.ts";
export { NotYetError, type Handler, type Step } from "./step.ts";
