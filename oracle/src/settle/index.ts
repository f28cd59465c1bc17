export { createConfirmHandler } from "./confirm.ts";
export { createSettlementHandler } from "./prepare.ts";
export { createBroadcastHandler, createWatchHandler } from "./watch.ts";
