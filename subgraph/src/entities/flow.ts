import { BigInt, ethereum } from "@graphprotocol/graph-ts";
import { Flow } from "../../generated/schema";

/** A movement of nothing yet. graph-node sets id and timestamp. */
function createFlow(event: ethereum.Event): Flow {
  const flow = new Flow(0);
  flow.escrow = event.address;
  flow.opened = 0;
  flow.closed = 0;
  flow.funded = BigInt.zero();
  flow.sellerAmount = BigInt.zero();
  flow.buyerAmount = BigInt.zero();
  flow.credited = BigInt.zero();
  flow.withdrawn = BigInt.zero();
  return flow;
}

export function flowIn(reward: BigInt, event: ethereum.Event): void {
  const flow = createFlow(event);
  flow.opened = 1;
  flow.funded = reward;
  flow.save();
}

export function flowOut(sellerAmount: BigInt, buyerAmount: BigInt, event: ethereum.Event): void {
  const flow = createFlow(event);
  flow.closed = 1;
  flow.sellerAmount = sellerAmount;
  flow.buyerAmount = buyerAmount;
  flow.save();
}

export function flowToCredit(amount: BigInt, event: ethereum.Event): void {
  const flow = createFlow(event);
  flow.credited = amount;
  flow.save();
}

export function flowFromCredit(amount: BigInt, event: ethereum.Event): void {
  const flow = createFlow(event);
  flow.withdrawn = amount;
  flow.save();
}
