import { concat, hexlify, toUtf8Bytes } from "ethers";
import type { Address } from "../primitives/address.ts";
import type { Hex } from "../primitives/hex.ts";

/** The arguments of the judge's `adjudicate`, as exact texts. */
export interface AdjudicateCall {
  readonly agreementId: Hex;
  readonly chainId: number;
  readonly escrow: Address;
  /** Canonical text of the agreement document. */
  readonly agreement: string;
  /** Canonical text of the submission document. */
  readonly submission: string;
}

/**
 * The GenLayer calldata of that call: what a transaction must carry to be about exactly these documents.
 *
 * GenVM's encoding: each value begins with ULEB128(8 · n + type), where n is the integer itself, or the number of
 * bytes or items that follow; keys of maps are sorted.
 */
export function adjudicateCalldata(call: AdjudicateCall): Hex {
  return calldata("adjudicate", [
    text(call.agreementId),
    integer(BigInt(call.chainId)),
    text(call.escrow),
    text(call.agreement),
    text(call.submission),
  ]);
}

/** The GenLayer calldata of a call that has a workflow assessed. */
export function assessCalldata(workflowKey: Hex): Hex {
  return calldata("assess", [text(workflowKey)]);
}

function calldata(method: string, values: readonly (string | Uint8Array)[]): Hex {
  return hexlify(
    concat([
      head(2n, TYPE.map),
      key("args"),
      head(BigInt(values.length), TYPE.array),
      ...values,
      key("method"),
      text(method),
    ]),
  ) as Hex;
}

const TYPE = { integer: 1n, text: 4n, array: 5n, map: 6n } as const;

function head(n: bigint, type: bigint): Uint8Array {
  return uleb128(n * 8n + type);
}

function integer(value: bigint): Uint8Array {
  return head(value, TYPE.integer);
}

function text(value: string): string {
  const bytes = toUtf8Bytes(value);
  return concat([head(BigInt(bytes.length), TYPE.text), bytes]);
}

function key(name: string): string {
  const bytes = toUtf8Bytes(name);
  return concat([uleb128(BigInt(bytes.length)), bytes]);
}

function uleb128(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return Uint8Array.from(bytes);
}
