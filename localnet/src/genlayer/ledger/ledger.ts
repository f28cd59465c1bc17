import { createHash } from "node:crypto";

import type { ContractState, Hex } from "../execution/executor.ts";
import type {
  AccountRecord,
  ContractRecord,
  EvmRecord,
  StateHash,
  TransactionInput,
  TransactionRecord,
} from "./records.ts";
import type { RecordKind, Store } from "./store.ts";

/** Storage of a contract that has none yet. */
export const EMPTY_STATE: ContractState = new Uint8Array();

/** The name of a storage snapshot. */
export function hashState(state: ContractState): StateHash {
  return `0x${createHash("sha256").update(state).digest("hex")}`;
}

/** Everything that the network remembers. Records are immutable; a change puts another in the place of one. */
export interface Ledger {
  readonly accounts: Records<AccountRecord>;
  readonly contracts: Records<ContractRecord>;
  readonly inputs: Records<TransactionInput>;
  readonly transactions: Records<TransactionRecord>;
  readonly evm: Records<EvmRecord>;
  /** Keeps a storage snapshot and gives its hash. */
  keepState(state: ContractState): StateHash;
  /** Forgets all snapshots but these. */
  retainStates(live: ReadonlySet<StateHash>): void;
  /** @throws when no such snapshot is kept */
  state(hash: StateHash): ContractState;
  /** Every address that a transaction was submitted to, or that a deployment was to get. */
  recipients(): readonly Hex[];
  /** The transactions of one contract (EIP-55 address), in the order in which they were submitted. */
  transactionsOf(contract: Hex): readonly Hex[];
  transactionCount(): number;
  blockNumber(): number;
  /** What `change` puts survives a crash together or not at all. */
  atomically(change: () => void): void;
  /** Forgets everything. */
  clear(): void;
}

/** One kind of records, by their lower-case key. */
export interface Records<T> {
  get(key: string): T | undefined;
  put(key: string, record: T): void;
  remove(key: string): void;
  values(): Iterable<T>;
  size(): number;
}

/** @returns the ledger that `store` holds. */
export function openLedger(store: Store): Ledger {
  const accounts = openRecords<AccountRecord>(store, "account");
  const contracts = openRecords<ContractRecord>(store, "contract");
  const inputs = openRecords<TransactionInput>(store, "input");
  const transactions = openRecords<TransactionRecord>(store, "transaction");
  const evm = openRecords<EvmRecord>(store, "evm");

  const states = new Map<StateHash, ContractState>();
  for (const { key, body } of store.entries("state")) states.set(key as StateHash, body);

  const byContract = new Map<Hex, Hex[]>();
  const indexInput = (input: TransactionInput): void => {
    const ids = byContract.get(input.contract);
    if (ids === undefined) byContract.set(input.contract, [input.id]);
    else ids.push(input.id);
  };
  [...inputs.values()].sort((a, b) => a.sequence - b.sequence).forEach(indexInput);

  let blocks = evm.size();
  return {
    accounts,
    contracts,
    transactions,
    inputs: {
      ...inputs,
      put(key, input) {
        inputs.put(key, input);
        indexInput(input);
      },
    },
    evm: {
      ...evm,
      put(key, record) {
        evm.put(key, record);
        blocks = Math.max(blocks, record.blockNumber);
      },
    },
    keepState(state) {
      const hash = hashState(state);
      if (!states.has(hash)) {
        states.set(hash, state);
        store.put("state", hash, state);
      }
      return hash;
    },
    retainStates(live) {
      for (const hash of states.keys()) {
        if (live.has(hash)) continue;
        states.delete(hash);
        store.remove("state", hash);
      }
    },
    state(hash) {
      const state = states.get(hash);
      if (state === undefined) throw new Error(`no storage snapshot ${hash}`);
      return state;
    },
    recipients: () => [...byContract.keys()],
    transactionsOf: (contract) => byContract.get(contract) ?? [],
    transactionCount: () => inputs.size(),
    blockNumber: () => blocks,
    atomically: (change) => store.atomically(change),
    clear() {
      for (const records of [accounts, contracts, inputs, transactions, evm]) records.clear();
      states.clear();
      byContract.clear();
      blocks = 0;
      store.clear();
    },
  };
}

function openRecords<T>(store: Store, kind: RecordKind): Records<T> & { clear(): void } {
  const records = new Map<string, T>();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  for (const { key, body } of store.entries(kind)) records.set(key, JSON.parse(decoder.decode(body)) as T);
  return {
    get: (key) => records.get(key.toLowerCase()),
    put(key, record) {
      records.set(key.toLowerCase(), record);
      store.put(kind, key.toLowerCase(), encoder.encode(JSON.stringify(record)));
    },
    remove(key) {
      records.delete(key.toLowerCase());
      store.remove(kind, key.toLowerCase());
    },
    values: () => records.values(),
    size: () => records.size,
    clear: () => records.clear(),
  };
}
