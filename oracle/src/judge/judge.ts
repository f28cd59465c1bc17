import type { Address, GenLayerNetwork, Hex } from "@assay/protocol";
import type { SignedTransaction } from "../store/index.ts";
import type { StoredRecord } from "./stored-record.ts";
import type { JudgeTransaction } from "./transaction.ts";
import type { Workflows } from "./workflows.ts";

/** The exact strings and numbers with which the judge is called. */
export interface AdjudicationCall {
  readonly agreementId: Hex;
  readonly chainId: number;
  readonly escrow: Address;
  readonly agreementText: string;
  readonly submissionText: string;
}

/** What became of a send on the network's own EVM layer. */
export interface RelayReceipt {
  readonly succeeded: boolean;
  /** The GenLayer transaction that it created; null when it created none. */
  readonly judgeTx: Hex | null;
}

/** One line of the judge's `get_records`. */
export interface RecordEntry {
  readonly sender: Address;
  readonly sequence: number;
}

/**
 * Everything the service asks of GenLayer. Building never sends: what is signed has to be journalled first. Every method
 * may reject with `JudgeUnavailableError` or the errors of `JsonRpc`.
 */
export interface Judge {
  readonly network: GenLayerNetwork;
  readonly relayer: Address;
  /** What is asked of the contract that attributes responsibility between two agents. */
  readonly workflows: Workflows;
  /** @throws ChainIdentityError when the endpoint belongs to another network. */
  verifyIdentity(): Promise<void>;
  /** The calldata of that call, as it will appear in the transaction. */
  calldataOf(call: AdjudicationCall): Hex;
  /** Builds and signs an adjudication transaction with that nonce. */
  prepare(
    contract: Address,
    call: AdjudicationCall,
    validators: number,
    nonce: number,
  ): Promise<SignedTransaction>;
  /** Builds and signs the call that finalizes a transaction whose window has ended; harmless when it is late. */
  prepareFinalization(judgeTx: Hex, nonce: number): Promise<SignedTransaction>;
  /** The same call at a price per gas that replaces it in a pool of waiting transactions. */
  reprice(raw: Hex, fee: bigint): Promise<SignedTransaction>;
  /** A transfer of nothing to ourselves, which only uses up the nonce. */
  prepareFiller(nonce: number, fee: bigint): Promise<SignedTransaction>;
  /** Hands journalled bytes to the network. */
  sendRaw(raw: Hex): Promise<void>;
  /** Null while the send is in no block. */
  receipt(transactionHash: Hex): Promise<RelayReceipt | null>;
  /** Sends of this relayer that the network has counted. */
  nonce(): Promise<number>;
  /** Null when the network does not know the transaction. */
  transaction(id: Hex): Promise<JudgeTransaction | null>;
  /** Whether that transaction was read before and carried other calldata, so that it need not be read again. */
  isKnownOtherwise(id: Hex, calldata: Hex): boolean;
  /** The record of a relayer at finalized state; its version is 0 when there is none. */
  record(contract: Address, sender: Address, key: Hex): Promise<StoredRecord>;
  /** Every record under a key at finalized state, in no particular order. */
  records(contract: Address, key: Hex): Promise<readonly RecordEntry[]>;
  /**
   * Transactions that went to the contract, whoever sent them; null when the network can't list them.
   *
   * @param since Unix seconds; earlier ones may be left out.
   */
  transactionsTo(contract: Address, since: number): Promise<readonly Hex[] | null>;
  /** SHA-256 of the deployed code, or null when there is none. */
  codeHash(contract: Address): Promise<Hex | null>;
}
