import type { Address, Hex } from "@assay/protocol";
import type { Secret } from "./secret.ts";

/** When a block counts as final: the chain's own tag, or a number of blocks on top of it. */
export type Finality = "finalized" | "safe" | { readonly confirmations: number };

/** A private key of the operator, and the address that it signs for. */
export interface Key {
  readonly address: Address;
  readonly privateKey: Secret<Hex>;
}
