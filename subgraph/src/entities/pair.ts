import { BigInt, ethereum } from "@graphprotocol/graph-ts";
import { Agreement, Pair } from "../../generated/schema";
import { Fact } from "../vocabulary";

/** Counts a new agreement for its buyer and seller together. */
export function countPair(agreement: Agreement, event: ethereum.Event): void {
  let pair = Pair.load(agreement.pair);
  if (pair === null) {
    pair = new Pair(agreement.pair);
    pair.buyer = agreement.buyer;
    pair.seller = agreement.seller;
    pair.funded = 0;
    pair.ended = 0;
    pair.passed = 0;
    pair.fundedVolume = BigInt.zero();
    pair.sellerVolume = BigInt.zero();
    pair.firstFundedAt = event.block.timestamp;
  }
  pair.funded += 1;
  pair.fundedVolume = pair.fundedVolume.plus(agreement.reward);
  pair.lastChangedAt = event.block.timestamp;
  pair.save();
}

/** Counts an agreement that has ended for its buyer and seller together. */
export function countPairEnd(agreement: Agreement, fact: string, event: ethereum.Event): void {
  const pair = Pair.load(agreement.pair)!;
  pair.ended += 1;
  if (fact == Fact.PASSED) pair.passed += 1;
  pair.sellerVolume = pair.sellerVolume.plus(agreement.sellerAmount!);
  pair.lastChangedAt = event.block.timestamp;
  pair.save();
}
