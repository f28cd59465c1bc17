import { BigInt, Bytes, ethereum } from "@graphprotocol/graph-ts";
import { Agreement, History } from "../../generated/schema";
import { buyerHistoryId, pairHistoryId, sellerHistoryId } from "../ids";

/** What a history counts. */
export namespace Fact {
  export const FUNDED: string = "FUNDED";
  export const ACCEPTED: string = "ACCEPTED";
  export const SUBMITTED: string = "SUBMITTED";
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
  history.firstEventAt = event.block.timestamp;
  history.lastEventAt = event.block.timestamp;
  history.save();
  return id;
}

/** Counts a fact about an agreement in its buyer's, its seller's and their common history. */
export function countFact(agreement: Agreement, fact: string, event: ethereum.Event): void {
  countIn(buyerHistoryId(agreement.buyer), agreement, fact, event);
  countIn(sellerHistoryId(agreement.seller), agreement, fact, event);
  countIn(pairHistoryId(agreement.buyer, agreement.seller), agreement, fact, event);
}

function countIn(id: Bytes, agreement: Agreement, fact: string, event: ethereum.Event): void {
  const history = History.load(id)!;
  if (history.funded == 0) history.firstEventAt = event.block.timestamp;
  history.lastEventAt = event.block.timestamp;
  add(history, fact);
  if (fact == Fact.FUNDED) history.fundedVolume = history.fundedVolume.plus(agreement.reward);
  if (agreement.closedAt !== null) {
    history.sellerVolume = history.sellerVolume.plus(agreement.sellerAmount!);
    history.buyerVolume = history.buyerVolume.plus(agreement.buyerAmount!);
  }
  history.save();
}

function add(history: History, fact: string): void {
  if (fact == Fact.FUNDED) history.funded += 1;
  else if (fact == Fact.ACCEPTED) history.accepted += 1;
  else if (fact == Fact.SUBMITTED) history.submitted += 1;
  else if (fact == Fact.PASSED) history.passed += 1;
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
  else assert(false, "no history counts " + fact);
}
