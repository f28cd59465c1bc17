import { BigInt, Bytes, ethereum } from "@graphprotocol/graph-ts";
import { Agreement, History } from "../../generated/schema";
import { buyerHistoryId, pairHistoryId, sellerHistoryId } from "../ids";

/** What an agreement that ended is counted as. */
export namespace Fact {
  export const PASSED: string = "PASSED";
  export const FAILED: string = "FAILED";
  export const UNDETERMINED: string = "UNDETERMINED";
  export const WITHHELD: string = "WITHHELD";
  export const NO_SHOW: string = "NO_SHOW";
  export const LAPSED: string = "LAPSED";
  export const UNJUDGED: string = "UNJUDGED";
  export const CANCELLED: string = "CANCELLED";
  export const CONCEDED_BY_BUYER: string = "CONCEDED_BY_BUYER";
  export const CONCEDED_BY_SELLER: string = "CONCEDED_BY_SELLER";
  export const SETTLED: string = "SETTLED";
}

/** Makes an empty history unless there is one. Returns its id. */
export function ensureHistory(id: Bytes, event: ethereum.Event): Bytes {
  if (History.load(id) !== null) return id;
  const history = new History(id);
  history.funded = 0;
  history.ended = 0;
  history.accepted = 0;
  history.submitted = 0;
  history.passed = 0;
  history.failed = 0;
  history.undetermined = 0;
  history.withheld = 0;
  history.noShows = 0;
  history.lapsed = 0;
  history.unjudged = 0;
  history.cancelled = 0;
  history.concededByBuyer = 0;
  history.concededBySeller = 0;
  history.settled = 0;
  history.fundedVolume = BigInt.zero();
  history.sellerVolume = BigInt.zero();
  history.buyerVolume = BigInt.zero();
  history.firstFundedAt = event.block.timestamp;
  history.lastChangedAt = event.block.timestamp;
  history.save();
  return id;
}

/** Counts a new agreement in its buyer's, its seller's and their common history. */
export function countFunding(agreement: Agreement, event: ethereum.Event): void {
  countFundingIn(buyerHistoryId(agreement.buyer), agreement, event);
  countFundingIn(sellerHistoryId(agreement.seller), agreement, event);
  countFundingIn(pairHistoryId(agreement.buyer, agreement.seller), agreement, event);
}

/** Counts an agreement that has ended in its buyer's, its seller's and their common history. */
export function countEnd(agreement: Agreement, fact: string, event: ethereum.Event): void {
  countEndIn(buyerHistoryId(agreement.buyer), agreement, fact, event);
  countEndIn(sellerHistoryId(agreement.seller), agreement, fact, event);
  countEndIn(pairHistoryId(agreement.buyer, agreement.seller), agreement, fact, event);
}

function countFundingIn(id: Bytes, agreement: Agreement, event: ethereum.Event): void {
  const history = History.load(id)!;
  if (history.funded == 0) history.firstFundedAt = event.block.timestamp;
  history.funded += 1;
  history.fundedVolume = history.fundedVolume.plus(agreement.reward);
  history.lastChangedAt = event.block.timestamp;
  history.save();
}

function countEndIn(id: Bytes, agreement: Agreement, fact: string, event: ethereum.Event): void {
  const history = History.load(id)!;
  history.ended += 1;
  if (agreement.acceptedAt !== null) history.accepted += 1;
  if (agreement.submittedAt !== null) history.submitted += 1;
  add(history, fact);
  history.sellerVolume = history.sellerVolume.plus(agreement.sellerAmount!);
  history.buyerVolume = history.buyerVolume.plus(agreement.buyerAmount!);
  history.lastChangedAt = event.block.timestamp;
  history.save();
}

function add(history: History, fact: string): void {
  if (fact == Fact.PASSED) history.passed += 1;
  else if (fact == Fact.FAILED) history.failed += 1;
  else if (fact == Fact.UNDETERMINED) history.undetermined += 1;
  else if (fact == Fact.WITHHELD) history.withheld += 1;
  else if (fact == Fact.NO_SHOW) history.noShows += 1;
  else if (fact == Fact.LAPSED) history.lapsed += 1;
  else if (fact == Fact.UNJUDGED) history.unjudged += 1;
  else if (fact == Fact.CANCELLED) history.cancelled += 1;
  else if (fact == Fact.CONCEDED_BY_BUYER) history.concededByBuyer += 1;
  else if (fact == Fact.CONCEDED_BY_SELLER) history.concededBySeller += 1;
  else if (fact == Fact.SETTLED) history.settled += 1;
  else throw new Error("no history counts " + fact);
}
