import { keccak256 as digest } from "ethers";
import type { Hex } from "./hex.ts";

/** Keccak-256 of `bytes`, as the EVM computes it, 0x-prefixed lower-case. */
export function keccak256(bytes: Uint8Array): Hex {
  return digest(bytes) as Hex;
}
