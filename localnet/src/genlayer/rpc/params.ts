import { getAddress, isAddress } from "ethers";

import type { Hex } from "../execution/executor.ts";
import { RPC_ERRORS, RpcError } from "./errors.ts";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

function invalid(what: string, expected: string): never {
  throw new RpcError(RPC_ERRORS.invalidParams, `${what} must be ${expected}`);
}

/** @throws {@link RpcError} -32602 when it is something else, as all functions here */
export function asObject(value: unknown, what: string): JsonObject {
  return isObject(value) ? value : invalid(what, "an object");
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An address in any case, given back in EIP-55 form. */
export function asAddress(value: unknown, what: string): Hex {
  if (typeof value !== "string" || !isAddress(value.toLowerCase())) return invalid(what, "an address");
  return getAddress(value.toLowerCase()) as Hex;
}

export function asHash(value: unknown, what: string): Hex {
  if (typeof value !== "string" || !/^0x[0-9a-f]{64}$/i.test(value))
    return invalid(what, "32 bytes in hexadecimal");
  return value.toLowerCase() as Hex;
}

/** Bytes in hexadecimal, with or without 0x. */
export function asBytes(value: unknown, what: string): Uint8Array {
  if (typeof value !== "string" || !/^(0x)?([0-9a-f]{2})*$/i.test(value))
    return invalid(what, "hexadecimal text");
  return new Uint8Array(Buffer.from(value.replace(/^0x/i, ""), "hex"));
}

export function asText(value: unknown, what: string): string {
  return typeof value === "string" ? value : invalid(what, "text");
}

/** An integer from `least` up. */
export function asInteger(value: unknown, what: string, least = 0): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least) {
    return invalid(what, `an integer of at least ${least}`);
  }
  return value;
}

/** A number of seconds (fractions allowed), in milliseconds. */
export function asSeconds(value: unknown, what: string): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
    return invalid(what, "a number of seconds, not negative");
  }
  return Math.round(value * 1000);
}

/** Hexadecimal quantity. */
export function toQuantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}
