import { Address, BigInt, ethereum } from "@graphprotocol/graph-ts";
import { Credit, Withdrawal } from "../../generated/schema";
import { creditId, logId } from "../ids";

export function loadOrCreateCredit(escrow: Address, owner: Address): Credit {
  const id = creditId(escrow, owner);
  const known = Credit.load(id);
  if (known !== null) return known;
  const credit = new Credit(id);
  credit.escrow = escrow;
  credit.owner = owner;
  credit.open = BigInt.zero();
  credit.credited = BigInt.zero();
  credit.withdrawn = BigInt.zero();
  return credit;
}

/** The credit that a withdrawal empties. */
export function loadCredit(escrow: Address, owner: Address): Credit {
  const credit = Credit.load(creditId(escrow, owner));
  if (credit === null) {
    throw new Error(
      "credit of " + owner.toHexString() + " is not indexed: startBlock is too late, or logs are missing",
    );
  }
  return credit;
}

export function createWithdrawal(
  credit: Credit,
  to: Address,
  amount: BigInt,
  event: ethereum.Event,
): Withdrawal {
  const withdrawal = new Withdrawal(logId(event));
  withdrawal.credit = credit.id;
  withdrawal.to = to;
  withdrawal.amount = amount;
  withdrawal.transactionHash = event.transaction.hash;
  withdrawal.logIndex = event.logIndex.toI32();
  withdrawal.blockNumber = event.block.number;
  withdrawal.timestamp = event.block.timestamp;
  return withdrawal;
}
