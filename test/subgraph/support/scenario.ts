import type { Contracts } from "./chain.ts";
import type { IndexUnderTest } from "./index-under-test.ts";
import type { Log } from "./logs.ts";

/** Something that happens on the chain, and what the index must then say about it. Scenarios share one chain. */
export interface Scenario {
  /** A fact. */
  name: string;
  /** Blocks of transactions of logs. */
  blocks: (contracts: Contracts) => Log[][][];
  check: (index: IndexUnderTest, contracts: Contracts) => Promise<void>;
}
