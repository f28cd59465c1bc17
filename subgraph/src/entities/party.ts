import { Bytes, ethereum } from "@graphprotocol/graph-ts";
import { Pair, Party } from "../../generated/schema";
import { buyerHistoryId, pairHistoryId, pairId, sellerHistoryId } from "../ids";
import { ensureHistory } from "./history";

/** Makes the party, with two empty histories, unless it is known. */
export function ensureParty(address: Bytes, event: ethereum.Event): void {
  if (Party.load(address) !== null) return;
  const party = new Party(address);
  party.asBuyer = ensureHistory(buyerHistoryId(address), event);
  party.asSeller = ensureHistory(sellerHistoryId(address), event);
  party.save();
}

/** Makes the pair, with an empty history, unless it is known. */
export function ensurePair(buyer: Bytes, seller: Bytes, event: ethereum.Event): void {
  const id = pairId(buyer, seller);
  if (Pair.load(id) !== null) return;
  const pair = new Pair(id);
  pair.buyer = buyer;
  pair.seller = seller;
  pair.history = ensureHistory(pairHistoryId(buyer, seller), event);
  pair.save();
}
