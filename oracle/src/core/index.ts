export { type Event, type EventType } from "./event.ts";
export {
  MAX_FAILURES,
  PARKED_STATES,
  STATE_NAMES,
  TERMINAL_STATES,
  isOpen,
  type BlockRef,
  type SettlementRef,
  type StateName,
  type SubmissionState,
  type VerdictRef,
} from "./state.ts";
export { deadlineOf, effectsOf, observe, transition, type Effect, type Transition } from "./transition.ts";
export { elapsed, freeNonces, gapBelow } from "./nonce.ts";
