export {
  SETTLE_CHAIN,
  createBroadcastHandler,
  createConfirmHandler,
  createSettlementHandler,
  createWatchHandler,
} from "./settle.ts";
