import { sha256 as digest } from "ethers";
import type { Hex } from "./hex.ts";

/** SHA-256 of `bytes`, 0x-prefixed lower-case. */
export function sha256(bytes: Uint8Array): Hex {
  return digest(bytes) as Hex;
}
