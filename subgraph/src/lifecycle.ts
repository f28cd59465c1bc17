import { BigInt, ethereum } from "@graphprotocol/graph-ts";
import { Agreement } from "../generated/schema";
import { createAgreementEvent } from "./entities/agreement-event";
import { leaveAgreement, loadEscrow } from "./entities/escrow";
import { flowOut } from "./entities/flow";
import { countEnd } from "./entities/history";
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

  agreement.status = ending.status;
  agreement.cause = ending.cause;
  agreement.sellerAmount = ending.sellerAmount;
  agreement.buyerAmount = agreement.reward.minus(ending.sellerAmount);
  agreement.closedAt = event.block.timestamp;
  agreement.closedTx = event.transaction.hash;
  agreement.save();

  const escrow = loadEscrow(agreement.escrow);
  leaveAgreement(escrow, agreement);
  escrow.save();
  countEnd(agreement, ending.fact, event);
  countPairEnd(agreement, ending.fact, event);
  flowOut(agreement, event);
}

function requireOpen(agreement: Agreement, kind: string): void {
  const status = agreement.status;
  if (status == Status.FUNDED || status == Status.ACCEPTED || status == Status.SUBMITTED) return;
  throw new Error(kind + " after agreement " + agreement.id.toHexString() + " ended as " + agreement.status);
}
