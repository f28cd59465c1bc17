export { createAnchorHandler, createWindowHandler } from "./anchor.ts";
export { agreementOf, type Jurisdiction } from "./agreement.ts";
export { CLOSING_EVENTS, VERDICT_EVENTS, decodeEscrowLog } from "./escrow-log.ts";
export { FinalityViolationError } from "./errors.ts";
export { EVALUATION_EVENTS, isJobLog } from "./job-log.ts";
export { createIngest, type ChainView, type Ingest } from "./ingest.ts";
