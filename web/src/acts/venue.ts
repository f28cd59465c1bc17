import type { Address, AdjudicationPolicy } from "@assay/protocol";
import type { Token } from "./amount.ts";

/** Where agreements of this page live, and who judges those that are drawn up here. */
export interface Venue {
  readonly chainId: number;
  readonly escrow: Address;
  readonly token: Token;
  readonly quorum: {
    readonly address: Address;
    /** Ascending. */
    readonly members: readonly Address[];
    readonly threshold: number;
  };
  readonly adjudication: AdjudicationPolicy;
}
