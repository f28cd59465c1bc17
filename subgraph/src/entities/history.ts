import { BigInt, Bytes, ethereum } from "@graphprotocol/graph-ts";
import { History } from "../../generated/schema";
import { buyerHistoryId, sellerHistoryId } from "../ids";
import { Fact, Status } from "../vocabulary";

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

/** An agreement's end, as histories count it. */
export class End {
  constructor(
    /** What it is counted as. */
    readonly fact: string,
    /** Where the agreement stood before. */
    readonly statusBefore: string,
    readonly sellerAmount: BigInt,
    readonly buyerAmount: BigInt,
  ) {}
}

/** Counts an agreement that has ended in its buyer's and in its seller's history. */
export function countEnd(buyer: Bytes, seller: Bytes, end: End, event: ethereum.Event): void {
  countEndIn(buyerHistoryId(buyer), end, event);
  countEndIn(sellerHistoryId(seller), end, event);
}

function countEndIn(id: Bytes, end: End, event: ethereum.Event): void {
  const history = History.load(id)!;
  history.ended += 1;
  // Submitting is accepting.
  if (end.statusBefore != Status.FUNDED) history.accepted += 1;
  if (end.statusBefore == Status.SUBMITTED) history.submitted += 1;
  add(history, end.fact);
  history.sellerVolume = history.sellerVolume.plus(end.sellerAmount);
  history.buyerVolume = history.buyerVolume.plus(end.buyerAmount);
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
