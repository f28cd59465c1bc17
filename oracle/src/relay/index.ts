export { createReceiptHandler, createRelayHandler, relayChain } from "./relay.ts";
