import { BigInt, ethereum } from "@graphprotocol/graph-ts";
import { Agreement } from "../generated/schema";
import { createAgreementEvent } from "./entities/agreement-event";
import { leaveAgreement, loadEscrow } from "./entities/escrow";
import { flowOut } from "./entities/flow";
import { countEnd, End } from "./entities/history";
import { countPairEnd } from "./entities/pair";
import { Status } from "./vocabulary";

/** Takes an agreement to a status that leaves the reward in escrow. */
export function advance(agreement: Agreement, kind: string, status: string, event: ethereum.Event): void {
  requireOpen(agreement, kind);
  createAgreementEvent(agreement, kind, status, event).save();
  agreement.status = status;
  agreement.save();
}

/** How an agreement ends. */
export class Ending {
  constructor(
    readonly kind: string,
    readonly status: string,
    readonly cause: string,
    /** What the histories count it as. */
    readonly fact: string,
    readonly sellerAmount: BigInt,
  ) {}
}

/** Ends an agreement: the whole reward leaves, divided as `ending` says. */
export function close(agreement: Agreement, ending: Ending, event: ethereum.Event): void {
  requireOpen(agreement, ending.kind);
  const entry = createAgreementEvent(agreement, ending.kind, ending.status, event);
  entry.sellerAmount = ending.sellerAmount;
  if (agreement.conceder !== null) entry.party = agreement.conceder;
  entry.save();

  // Each look at a field searches for it, so each is looked at once.
  const buyer = agreement.buyer;
  const seller = agreement.seller;
  const reward = agreement.reward;
  const buyerAmount = reward.minus(ending.sellerAmount);
  const end = new End(ending.fact, agreement.status, ending.sellerAmount, buyerAmount);
  agreement.status = ending.status;
  agreement.cause = ending.cause;
  agreement.sellerAmount = ending.sellerAmount;
  agreement.buyerAmount = buyerAmount;
  agreement.closedAt = event.block.timestamp;
  agreement.save();

  const escrow = loadEscrow(event.address);
  leaveAgreement(escrow, reward, ending.status);
  escrow.save();
  countEnd(buyer, seller, end, event);
  countPairEnd(buyer, seller, ending.fact, ending.sellerAmount, event);
  flowOut(ending.sellerAmount, buyerAmount, event);
}

function requireOpen(agreement: Agreement, kind: string): void {
  const status = agreement.status;
  if (status == Status.FUNDED || status == Status.ACCEPTED || status == Status.SUBMITTED) return;
  throw new Error(kind + " after agreement " + agreement.id.toHexString() + " ended as " + agreement.status);
}
