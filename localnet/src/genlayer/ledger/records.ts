import type { Consensus, ExecutionMode } from "../consensus/consensus.ts";
import type { Status, Vote } from "../consensus/names.ts";
import type { ExecutionKind, Hex } from "../execution/executor.ts";

/** SHA-256 of a storage snapshot, 0x-prefixed. Snapshots never change; records name them by it. */
export type StateHash = Hex;

/** Text in base64. */
export type Base64 = string;

/** A deployed contract. */
export interface ContractRecord {
  readonly address: Hex;
  readonly code: Base64;
  /** The transaction that deployed it. */
  readonly deployedBy: Hex;
  /** Storage after the last accepted transaction; it may still be rolled back. */
  readonly accepted: StateHash;
  readonly finalized: StateHash;
}

/** What a sender submitted; never changes. */
export interface TransactionInput {
  /** The id on the network. On the Studio kind it is {@link TransactionInput.evmHash}. */
  readonly id: Hex;
  /** keccak-256 of the raw transaction. */
  readonly evmHash: Hex;
  /** Counts all transactions of the network, from 1. */
  readonly sequence: number;
  readonly kind: "call" | "deploy";
  readonly sender: Hex;
  /** The contract; for a deployment, the address that it gets. */
  readonly contract: Hex;
  /** Native value in base units, decimal. */
  readonly value: string;
  readonly nonce: number;
  readonly validators: number;
  readonly maxRotations: number;
  readonly mode: ExecutionMode;
  /** The RLP payload. */
  readonly txData: Hex;
  readonly calldata: Base64;
  /** The source, for a deployment. */
  readonly code?: Base64;
  /** Unix seconds; 0 when the sender gave none. */
  readonly validUntil: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** One node's run of a transaction in one round. */
export interface NodeReceipt {
  /** Index of the round in the transaction's consensus. */
  readonly round: number;
  readonly node: Hex;
  readonly role: "leader" | "validator";
  readonly kind: ExecutionKind;
  readonly data: Base64;
  readonly stateHash: StateHash | null;
  readonly nondetOutputs: readonly Base64[];
  /** Indices of the leader's outputs that this validator ruled against. */
  readonly disagreedWith: readonly number[];
  readonly vote?: Vote;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

/** Misbehaviour that a transaction drew when it was last activated or appealed; it lasts until either happens again. */
export interface TransactionFaults {
  readonly leaderTimeout?: boolean;
  /** The vote that is cast, without a run, by this many validators of each round. */
  readonly forcedVotes?: { readonly vote: Vote; readonly validators: number };
  /** Replaces the leader's own outputs (base64, code byte first), in order; a leader that lies. */
  readonly leaderOutputs?: readonly Base64[];
}

/** What has become of a transaction. */
export interface TransactionRecord {
  readonly id: Hex;
  readonly consensus: Consensus;
  readonly receipts: readonly NodeReceipt[];
  /** The contract's accepted storage before this transaction changed it; null for a deployment. */
  readonly stateBefore: StateHash | null;
  /** The storage that its leader came to; null unless it returned. */
  readonly stateAfter: StateHash | null;
  readonly faults: TransactionFaults;
  /** A status that is shown instead of the true one (a fault). */
  readonly shownStatus: Status | null;
}

/** An accepted raw transaction, as the EVM side of the network shows it. Each has a block of its own. */
export interface EvmRecord {
  readonly hash: Hex;
  readonly blockNumber: number;
  readonly from: Hex;
  readonly to: Hex;
  readonly nonce: number;
  /** Decimal base units. */
  readonly value: string;
  readonly data: Hex;
  readonly succeeded: boolean;
  /** The GenLayer transaction that it added. */
  readonly txId: Hex | null;
  /** Unix milliseconds. */
  readonly at: number;
}

/** A sender. */
export interface AccountRecord {
  readonly address: Hex;
  /** How many raw transactions were accepted from it. */
  readonly nonce: number;
  /** Decimal base units. */
  readonly balance: string;
}
