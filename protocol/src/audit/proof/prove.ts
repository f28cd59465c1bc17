import { concat, encodeRlp, stripZerosLeft, toBeHex } from "ethers";
import type { Hex } from "../../primitives/hex.ts";
import type { LogEvidence } from "../evidence.ts";
import { indexKey } from "./receipt.ts";
import { proveInTrie } from "./trie.ts";

/** A receipt's consensus fields; integers as hex quantities of any padding. */
export interface ReceiptFields {
  readonly type: number;
  readonly succeeded: boolean;
  readonly cumulativeGasUsed: Hex;
  readonly logsBloom: Hex;
  readonly logs: readonly LogEvidence[];
  /** What rollups append to receipts of their own transaction types, in order. */
  readonly appended: readonly Hex[];
}

/** The bytes of a receipt as they stand in a block's receipts trie. */
export function encodeReceipt(receipt: ReceiptFields): Hex {
  const list = encodeRlp([
    receipt.succeeded ? "0x01" : "0x",
    quantityBytes(receipt.cumulativeGasUsed),
    receipt.logsBloom,
    receipt.logs.map(({ address, topics, data }) => [address, [...topics], data]),
    ...receipt.appended.map(quantityBytes),
  ]) as Hex;
  return receipt.type === 0 ? list : (concat([toBeHex(receipt.type, 1), list]) as Hex);
}

/**
 * The receipts trie's root over all receipts of a block, in their order, and the nodes that lead to one of them. It
 * is for the caller to compare the root with the header's.
 */
export function proveReceipt(receipts: readonly ReceiptFields[], index: number): { root: Hex; proof: Hex[] } {
  return proveInTrie(
    receipts.map((receipt, place) => [indexKey(place), encodeReceipt(receipt)]),
    indexKey(index),
  );
}

/** Big-endian bytes of a quantity without leading zeros, as RLP has integers. */
export function quantityBytes(quantity: Hex): Hex {
  const digits = quantity.slice(2);
  return stripZerosLeft(`0x${digits.length % 2 === 1 ? "0" : ""}${digits}`) as Hex;
}
