export { createReceiptHandler } from "./receipt.ts";
export { createRelayHandler } from "./relay.ts";
export { createNudge } from "./nudge.ts";
