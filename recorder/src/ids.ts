import { createHash, randomBytes } from "node:crypto";
import type { Hex } from "@assay/protocol";

/** A name that nobody can guess. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString("hex")}`;
}

/** An agent's key; only its hash is kept. */
export function newApiKey(): string {
  return `${API_KEY_PREFIX}${randomBytes(32).toString("hex")}`;
}

/** What every key of this recorder begins with, so that it is told from the upstream's own. */
export const API_KEY_PREFIX = "a2a_";

/** Thirty-two random bytes. */
export function newNonce(): Hex {
  return `0x${randomBytes(32).toString("hex")}`;
}

/** SHA-256 as the protocol writes it. */
export function sha256Of(data: Uint8Array | string): Hex {
  return `0x${createHash("sha256").update(data).digest("hex")}`;
}
