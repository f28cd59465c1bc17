import type { Clock } from "../clock.ts";
import {
  AWAITING_FINALITY,
  type Consensus,
  ConsensusError,
  TERMINAL,
  windowEnd,
} from "../consensus/consensus.ts";
import type { Hex } from "../execution/executor.ts";
import type { ChainKind } from "../kinds.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { TransactionRecord } from "../ledger/records.ts";
import { applyFinality, liveStates } from "./outcomes.ts";
import type { Transactions } from "./transactions.ts";

/** What the finality windows depend on; may be changed while the network runs. */
export interface FinalitySettings {
  finalityWindowMilliseconds: number;
  /** When true, a transaction whose window has ended waits for `finalizeTransaction`. */
  manualFinality: boolean;
}

/** Makes decided transactions final: each after its window, and after those before it in its contract. */
export interface Finality {
  /** Finalizes what is due, and comes back by itself when the next is. */
  sweep(): void;
  /** @throws {@link ConsensusError} unless the window has ended and nothing comes before it */
  finalize(id: Hex): void;
  /** Whether the window has ended by `at` (Unix milliseconds). */
  isReady(consensus: Consensus, at: number): boolean;
  /** Calls off the next sweep. */
  rest(): void;
}

export function createFinality(options: {
  readonly kind: ChainKind;
  readonly ledger: Ledger;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly settings: FinalitySettings;
}): Finality {
  const { kind, ledger, transactions, clock, settings } = options;
  let cancelTimer = (): void => undefined;

  const dueAt = (consensus: Consensus): number | null =>
    windowEnd(consensus, settings.finalityWindowMilliseconds);

  function isReady(consensus: Consensus, at: number): boolean {
    const due = dueAt(consensus);
    return AWAITING_FINALITY.has(consensus.status) && due !== null && due <= at;
  }

  /** Finalizes what is due in one contract. Returns when the first that is not will be, or null. */
  function sweepContract(contract: Hex): number | null {
    let next: number | null = null;
    let isFirst = true;
    for (const record of transactions.open(contract)) {
      const { consensus } = record;
      // What its leader alone ran waits for nothing and nobody.
      const mayFinalize = consensus.mode !== "NORMAL" || (isFirst && !settings.manualFinality);
      if (mayFinalize && isReady(consensus, clock.now())) {
        conclude(record);
        continue;
      }
      if (isFirst && mayFinalize) next = dueAt(consensus);
      if (!TERMINAL.has(consensus.status)) isFirst = false;
    }
    return next;
  }

  function conclude(record: TransactionRecord): void {
    ledger.atomically(() => {
      transactions.advance(record.id, { type: "window-elapsed", at: clock.now() });
      applyFinality(kind, ledger, transactions.input(record.id), record);
      ledger.retainStates(
        liveStates(
          ledger,
          ledger.recipients().flatMap((contract) => transactions.open(contract)),
        ),
      );
    });
  }

  function sweep(): void {
    cancelTimer();
    const dues = ledger.recipients().map(sweepContract);
    const next = Math.min(...dues.filter((due) => due !== null));
    if (next !== Number.POSITIVE_INFINITY) cancelTimer = clock.at(next, sweep);
  }

  return {
    sweep,
    isReady,
    finalize(id) {
      const record = transactions.record(id);
      const [first] = transactions.open(transactions.input(id).contract);
      if (!isReady(record.consensus, clock.now()) || first?.id !== id) {
        const { status } = record.consensus;
        throw new ConsensusError(status, "window-elapsed", "it is not ready to be finalized");
      }
      conclude(record);
      sweep();
    },
    rest: () => cancelTimer(),
  };
}
