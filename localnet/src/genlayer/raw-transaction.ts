import { decodeRlp, encodeRlp, getAddress, keccak256, recoverAddress, Signature, toBeHex } from "ethers";

import type { Hex } from "./execution/executor.ts";

/** A raw transaction that is not what a GenLayer network takes. */
export class RawTransactionError extends Error {
  override readonly name = "RawTransactionError";
}

/** A legacy transaction whose signature was verified. */
export interface SignedTransaction {
  /** keccak-256 of the raw bytes, exactly as they came. */
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex;
  readonly nonce: bigint;
  /** Native value in base units. */
  readonly value: bigint;
  readonly data: Hex;
  readonly chainId: bigint;
}

const LEGACY_FIELDS = 9;

/**
 * Decodes a signed legacy transaction (EIP-155) and recovers its sender.
 *
 * The signing hash is computed over the fields as they were encoded: viem, given a hexadecimal nonce of zero, signs a
 * nonce of one zero byte, which a round trip through numbers would lose.
 *
 * @throws {@link RawTransactionError}
 */
export function decodeRawTransaction(raw: unknown): SignedTransaction {
  if (typeof raw !== "string" || !/^0x([0-9a-f]{2})+$/i.test(raw)) {
    throw new RawTransactionError("a raw transaction is 0x-prefixed hexadecimal text");
  }
  const fields = decodeFields(raw);
  const [nonce, gasPrice, gas, to, value, data, v, r, s] = fields;
  if (to.length !== 42) throw new RawTransactionError("the transaction has no recipient");
  const replayV = toBigInt(v);
  if (replayV < 35n) throw new RawTransactionError("the signature names no chain id (EIP-155)");
  const chainId = (replayV - 35n) / 2n;
  const signingHash = keccak256(
    encodeRlp([nonce, gasPrice, gas, to, value, data, minimal(chainId), "0x", "0x"]),
  );
  let from: string;
  try {
    const signature = Signature.from({
      r: word(r),
      s: word(s),
      yParity: (replayV - 35n) % 2n === 0n ? 0 : 1,
    });
    from = recoverAddress(signingHash, signature);
  } catch (cause) {
    throw new RawTransactionError("the signature is not valid", { cause });
  }
  return {
    hash: keccak256(raw) as Hex,
    from: from as Hex,
    to: getAddress(to) as Hex,
    nonce: toBigInt(nonce),
    value: toBigInt(value),
    data: data as Hex,
    chainId,
  };
}

type Fields = [string, string, string, string, string, string, string, string, string];

function decodeFields(raw: string): Fields {
  if (Number.parseInt(raw.slice(2, 4), 16) <= 0x7f) {
    throw new RawTransactionError("only legacy transactions are taken, not typed ones");
  }
  let decoded: unknown;
  try {
    decoded = decodeRlp(raw);
  } catch (cause) {
    throw new RawTransactionError("the raw transaction is not RLP", { cause });
  }
  if (!isFields(decoded)) {
    throw new RawTransactionError(`a signed legacy transaction has ${LEGACY_FIELDS} byte strings`);
  }
  return decoded;
}

function isFields(value: unknown): value is Fields {
  return (
    Array.isArray(value) &&
    value.length === LEGACY_FIELDS &&
    value.every((field) => typeof field === "string")
  );
}

function toBigInt(bytes: string): bigint {
  return bytes === "0x" ? 0n : BigInt(bytes);
}

function minimal(value: bigint): string {
  return value === 0n ? "0x" : toBeHex(value);
}

function word(bytes: string): string {
  return toBeHex(toBigInt(bytes), 32);
}
