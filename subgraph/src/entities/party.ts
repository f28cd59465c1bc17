import { BigInt, Bytes, ethereum } from "@graphprotocol/graph-ts";
import { Party } from "../../generated/schema";
import { buyerHistoryId, sellerHistoryId } from "../ids";
import { createHistory } from "./history";

/** Counts a new agreement for its buyer and for its seller. */
export function countParties(
  buyerAddress: Bytes,
  sellerAddress: Bytes,
  reward: BigInt,
  event: ethereum.Event,
): void {
  const buyer = loadOrCreateParty(buyerAddress, event);
  buyer.boughtCount += 1;
  buyer.boughtVolume = buyer.boughtVolume.plus(reward);
  buyer.save();

  const seller = loadOrCreateParty(sellerAddress, event);
  seller.soldCount += 1;
  seller.soldVolume = seller.soldVolume.plus(reward);
  seller.save();
}

/** A party that is named now; a new one gets two empty histories. */
function loadOrCreateParty(address: Bytes, event: ethereum.Event): Party {
  let party = Party.load(address);
  if (party === null) {
    party = new Party(address);
    party.asBuyer = createHistory(buyerHistoryId(address));
    party.asSeller = createHistory(sellerHistoryId(address));
    party.boughtCount = 0;
    party.boughtVolume = BigInt.zero();
    party.soldCount = 0;
    party.soldVolume = BigInt.zero();
    party.firstFundedAt = event.block.timestamp;
  }
  party.lastFundedAt = event.block.timestamp;
  return party;
}
