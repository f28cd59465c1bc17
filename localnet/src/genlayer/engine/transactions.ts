import { type ConsensusEvent, TERMINAL, transition } from "../consensus/consensus.ts";
import type { Hex } from "../execution/executor.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { TransactionInput, TransactionRecord } from "../ledger/records.ts";

/** The ledger's transactions, as the engine works on them. Ids are those of known transactions. */
export interface Transactions {
  input(id: Hex): TransactionInput;
  record(id: Hex): TransactionRecord;
  save(record: TransactionRecord): void;
  /**
   * Lets an event happen to a transaction, and keeps what came of it together with `change`.
   *
   * @throws {@link ConsensusError} when the event cannot happen to it
   */
  advance(id: Hex, event: ConsensusEvent, change?: Partial<TransactionRecord>): TransactionRecord;
  /** The transactions of a contract that may still change, in order; a few that may not can be among them. */
  open(contract: Hex): readonly TransactionRecord[];
  /** To be called after the ledger was cleared. */
  forget(): void;
}

export function createTransactions(ledger: Ledger): Transactions {
  /** Per contract, how many of its first transactions are terminal: they need not be looked at again. */
  const settled = new Map<Hex, number>();
  const record = (id: Hex): TransactionRecord => known(ledger.transactions.get(id), id);
  const save = (next: TransactionRecord): void => ledger.transactions.put(next.id, next);
  return {
    record,
    save,
    input: (id) => known(ledger.inputs.get(id), id),
    advance(id, event, change = {}) {
      const before = record(id);
      const after = { ...before, ...change, consensus: transition(before.consensus, event) };
      save(after);
      return after;
    },
    open(contract) {
      const ids = ledger.transactionsOf(contract);
      const isTerminal = (id: Hex): boolean => TERMINAL.has(record(id).consensus.status);
      const from = settled.get(contract) ?? 0;
      const open = ids.slice(from).findIndex((id) => !isTerminal(id));
      const first = open === -1 ? ids.length : from + open;
      settled.set(contract, first);
      return ids.slice(first).map(record);
    },
    forget: () => settled.clear(),
  };
}

function known<T>(value: T | undefined, id: Hex): T {
  if (value === undefined) throw new Error(`transaction ${id} is not known`);
  return value;
}
