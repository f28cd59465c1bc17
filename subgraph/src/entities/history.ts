import { BigInt, Bytes, ethereum } from "@graphprotocol/graph-ts";
import { Agreement, History } from "../../generated/schema";
import { buyerHistoryId, sellerHistoryId } from "../ids";
import { Fact } from "../vocabulary";

/** Makes an empty history. Returns its id. */
export function createHistory(id: Bytes): Bytes {
  const history = new History(id);
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
  history.declined = 0;
  history.settled = 0;
  history.sellerVolume = BigInt.zero();
  history.buyerVolume = BigInt.zero();
  history.save();
  return id;
}

/** Counts an agreement that has ended in its buyer's and in its seller's history. */
export function countEnd(agreement: Agreement, fact: string, event: ethereum.Event): void {
  countEndIn(buyerHistoryId(agreement.buyer), agreement, fact, event);
  countEndIn(sellerHistoryId(agreement.seller), agreement, fact, event);
}

function countEndIn(id: Bytes, agreement: Agreement, fact: string, event: ethereum.Event): void {
  const history = History.load(id)!;
  history.ended += 1;
  if (agreement.acceptedAt !== null) history.accepted += 1;
  if (agreement.submittedAt !== null) history.submitted += 1;
  add(history, fact);
  history.sellerVolume = history.sellerVolume.plus(agreement.sellerAmount!);
  history.buyerVolume = history.buyerVolume.plus(agreement.buyerAmount!);
  history.lastEndedAt = event.block.timestamp;
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
  else if (fact == Fact.DECLINED) history.declined += 1;
  else if (fact == Fact.SETTLED) history.settled += 1;
  else throw new Error("no history counts " + fact);
}
