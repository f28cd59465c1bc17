export {
  createBroadcastHandler,
  createConfirmHandler,
  createSettlementHandler,
  createWatchHandler,
} from "./settle.ts";
