import { BigInt, Bytes, ethereum } from "@graphprotocol/graph-ts";
import { Pair } from "../../generated/schema";
import { pairId } from "../ids";
import { Fact } from "../vocabulary";

/** Counts a new agreement for its buyer and seller together. */
export function countPair(buyer: Bytes, seller: Bytes, reward: BigInt, event: ethereum.Event): void {
  const id = pairId(buyer, seller);
  let pair = Pair.load(id);
  if (pair === null) {
    pair = new Pair(id);
    pair.buyer = buyer;
    pair.seller = seller;
    pair.funded = 0;
    pair.ended = 0;
    pair.passed = 0;
    pair.fundedVolume = BigInt.zero();
    pair.sellerVolume = BigInt.zero();
    pair.firstFundedAt = event.block.timestamp;
  }
  pair.funded += 1;
  pair.fundedVolume = pair.fundedVolume.plus(reward);
  pair.lastChangedAt = event.block.timestamp;
  pair.save();
}

/** Counts an agreement that has ended for its buyer and seller together. */
export function countPairEnd(
  buyer: Bytes,
  seller: Bytes,
  fact: string,
  sellerAmount: BigInt,
  event: ethereum.Event,
): void {
  const pair = Pair.load(pairId(buyer, seller))!;
  pair.ended += 1;
  if (fact == Fact.PASSED) pair.passed += 1;
  pair.sellerVolume = pair.sellerVolume.plus(sellerAmount);
  pair.lastChangedAt = event.block.timestamp;
  pair.save();
}
