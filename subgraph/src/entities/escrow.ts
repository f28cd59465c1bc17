import { Address, BigInt } from "@graphprotocol/graph-ts";
import { Escrow } from "../../generated/schema";
import { Status } from "../vocabulary";

/** Whether a contract is the escrow of this index, once it holds an agreement. */
export function isIndexed(escrow: Address): boolean {
  return Escrow.load(escrow) !== null;
}

export function loadOrCreateEscrow(address: Address): Escrow {
  const known = Escrow.load(address);
  if (known !== null) return known;
  const escrow = new Escrow(address);
  escrow.fundedTotal = BigInt.zero();
  escrow.paidOutTotal = BigInt.zero();
  escrow.lockedReward = BigInt.zero();
  escrow.openCredits = BigInt.zero();
  escrow.agreementCount = 0;
  escrow.liveCount = 0;
  escrow.releasedCount = 0;
  escrow.refundedCount = 0;
  escrow.splitCount = 0;
  return escrow;
}

/** The escrow of an indexed agreement or credit. */
export function loadEscrow(address: Address): Escrow {
  const escrow = Escrow.load(address);
  if (escrow === null) {
    throw new Error("escrow " + address.toHexString() + " is not indexed: startBlock is too late");
  }
  return escrow;
}

/** Counts a new agreement and its reward in. */
export function enterAgreement(escrow: Escrow, reward: BigInt): void {
  escrow.agreementCount += 1;
  escrow.liveCount += 1;
  escrow.fundedTotal = escrow.fundedTotal.plus(reward);
  escrow.lockedReward = escrow.lockedReward.plus(reward);
}

/** The whole reward has left; what the token refused comes back by `enterCredit`. */
export function leaveAgreement(escrow: Escrow, reward: BigInt, status: string): void {
  escrow.liveCount -= 1;
  if (status == Status.RELEASED) escrow.releasedCount += 1;
  else if (status == Status.REFUNDED) escrow.refundedCount += 1;
  else escrow.splitCount += 1;
  escrow.lockedReward = escrow.lockedReward.minus(reward);
  escrow.paidOutTotal = escrow.paidOutTotal.plus(reward);
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
