import { Address, Bytes, ethereum } from "@graphprotocol/graph-ts";

/** The one place where ids are made. */

/** Unique among all logs of a chain: two logs of one transaction differ in their index. */
export function logId(event: ethereum.Event): Bytes {
  return event.transaction.hash.concatI32(event.logIndex.toI32());
}

export function buyerHistoryId(buyer: Bytes): Bytes {
  return Bytes.fromHexString("0x01").concat(buyer);
}

export function sellerHistoryId(seller: Bytes): Bytes {
  return Bytes.fromHexString("0x02").concat(seller);
}

export function pairId(buyer: Bytes, seller: Bytes): Bytes {
  return buyer.concat(seller);
}

export function creditId(escrow: Address, owner: Address): Bytes {
  return escrow.concat(owner);
}
