import type { Clock } from "../clock.ts";
import { type Consensus, type Round } from "../consensus/consensus.ts";
import type { Status, Vote } from "../consensus/names.ts";
import type { Engine, EngineSettings } from "../engine/engine.ts";
import type { ValidatorNode } from "../engine/nodes.ts";
import type { Hex } from "../execution/executor.ts";
import type { ChainKind } from "../kinds.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { EvmRecord, NodeReceipt, TransactionInput, TransactionRecord } from "../ledger/records.ts";

/** A transaction with all that either chain kind shows of it. */
export interface TransactionView {
  readonly input: TransactionInput;
  readonly record: TransactionRecord;
  readonly evm: EvmRecord;
  /** The status as it is to be shown now. */
  readonly status: Status;
  readonly nodes: ReadonlyMap<Hex, ValidatorNode>;
  /** Unix milliseconds. */
  readonly now: number;
}

/** What views are made from. */
export interface ViewContext {
  readonly kind: ChainKind;
  readonly settings: EngineSettings;
  readonly ledger: Ledger;
  readonly engine: Engine;
  readonly nodes: ReadonlyMap<Hex, ValidatorNode>;
  readonly clock: Clock;
}

/**
 * @param at the moment to show it at (Unix milliseconds; default now)
 * @returns the transaction with this id, or undefined
 */
export function viewTransaction(
  context: ViewContext,
  id: string,
  at = context.clock.now(),
): TransactionView | undefined {
  const input = context.ledger.inputs.get(id);
  const record = context.ledger.transactions.get(id);
  if (input === undefined || record === undefined) return undefined;
  const evm = context.ledger.evm.get(input.evmHash);
  if (evm === undefined) return undefined;
  return {
    input,
    record,
    evm,
    status: shownStatus(context, record, at),
    nodes: context.nodes,
    now: context.clock.now(),
  };
}

/** Testnets compute from the time that a transaction may be finalized; Studio's worker simply does it. */
function shownStatus({ kind, settings, engine }: ViewContext, record: TransactionRecord, at: number): Status {
  if (record.shownStatus !== null) return record.shownStatus;
  const showsReady = kind === "testnet" || settings.manualFinality;
  return showsReady && engine.isReadyToFinalize(record, at) ? "READY_TO_FINALIZE" : record.consensus.status;
}

/** A round's votes by node, hidden until they are revealed. */
export function shownVotes(round: Round): readonly (readonly [Hex, Vote])[] {
  return round.committee.map((node) => [
    node,
    round.revealed ? (round.votes[node] ?? "not_voted") : "not_voted",
  ]);
}

/** The receipt of the leader whose outcome stands, if one has run since the transaction was last queued. */
export function standingLeaderReceipt({ consensus, receipts }: TransactionRecord): NodeReceipt | undefined {
  if (consensus.execution === "NOT_VOTED") return undefined;
  return receipts.findLast(({ role }) => role === "leader");
}

/** Unix seconds at which the transaction last entered `status`, or 0. */
export function enteredAt(consensus: Consensus, status: Status): number {
  const change = consensus.rounds
    .flatMap(({ changes }) => changes)
    .findLast((entry) => entry.status === status);
  return change === undefined ? 0 : toSeconds(change.at);
}

/** When votes were last committed, in Unix seconds, or 0. */
export function lastVoteAt(consensus: Consensus): number {
  return Math.max(enteredAt(consensus, "REVEALING"), enteredAt(consensus, "APPEAL_REVEALING"));
}

export function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
