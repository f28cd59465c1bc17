import { Address, BigInt, Bytes } from "@graphprotocol/graph-ts";
import { Agreement, Escrow } from "../../generated/schema";
import { Status } from "../vocabulary";

export function loadOrCreateEscrow(address: Address): Escrow {
  const known = Escrow.load(address);
  if (known !== null) return known;
  const escrow = new Escrow(address);
  escrow.fundedTotal = BigInt.zero();
  escrow.paidOutTotal = BigInt.zero();
  escrow.lockedReward = BigInt.zero();
  escrow.openCredits = BigInt.zero();
  escrow.agreementCount = 0;
  escrow.fundedCount = 0;
  escrow.acceptedCount = 0;
  escrow.submittedCount = 0;
  escrow.releasedCount = 0;
  escrow.refundedCount = 0;
  escrow.splitCount = 0;
  return escrow;
}

/** The escrow of an indexed agreement or credit. */
export function loadEscrow(address: Bytes): Escrow {
  const escrow = Escrow.load(address);
  assert(escrow !== null, "escrow " + address.toHexString() + " is not indexed: startBlock is too late");
  return escrow!;
}

/** Counts a new agreement and its reward in. */
export function enterAgreement(escrow: Escrow, agreement: Agreement): void {
  escrow.agreementCount += 1;
  addToStatus(escrow, agreement.status, 1);
  escrow.fundedTotal = escrow.fundedTotal.plus(agreement.reward);
  escrow.lockedReward = escrow.lockedReward.plus(agreement.reward);
}

/** Moves one agreement from one status to another. */
export function moveStatus(escrow: Escrow, before: string, after: string): void {
  addToStatus(escrow, before, -1);
  addToStatus(escrow, after, 1);
}

/** The whole reward has left; what the token refused comes back by `enterCredit`. */
export function leaveReward(escrow: Escrow, agreement: Agreement): void {
  escrow.lockedReward = escrow.lockedReward.minus(agreement.reward);
  escrow.paidOutTotal = escrow.paidOutTotal.plus(agreement.reward);
}

/** A part of a reward that was counted as paid out is still here. */
export function enterCredit(escrow: Escrow, amount: BigInt): void {
  escrow.paidOutTotal = escrow.paidOutTotal.minus(amount);
  escrow.openCredits = escrow.openCredits.plus(amount);
}

export function leaveCredit(escrow: Escrow, amount: BigInt): void {
  escrow.openCredits = escrow.openCredits.minus(amount);
  escrow.paidOutTotal = escrow.paidOutTotal.plus(amount);
}

function addToStatus(escrow: Escrow, status: string, count: i32): void {
  if (status == Status.FUNDED) escrow.fundedCount += count;
  else if (status == Status.ACCEPTED) escrow.acceptedCount += count;
  else if (status == Status.SUBMITTED) escrow.submittedCount += count;
  else if (status == Status.RELEASED) escrow.releasedCount += count;
  else if (status == Status.REFUNDED) escrow.refundedCount += count;
  else if (status == Status.SPLIT) escrow.splitCount += count;
  else assert(false, "no status " + status);
}
