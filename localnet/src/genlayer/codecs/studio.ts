import type { Round } from "../consensus/consensus.ts";
import { EXECUTION_NUMBERS, RESULT_NUMBERS, VOTE_NUMBERS } from "../consensus/names.ts";
import type { ExecutionKind } from "../execution/executor.ts";
import type { NodeReceipt } from "../ledger/records.ts";
import {
  enteredAt,
  lastVoteAt,
  shownVotes,
  standingLeaderReceipt,
  toSeconds,
  type TransactionView,
} from "./view.ts";

/** GenVM's result code byte, which comes before the payload. */
const RESULT_CODES: Readonly<Record<ExecutionKind, number>> = {
  return: 0,
  "user-error": 1,
  "vm-error": 2,
  timeout: 3,
  "internal-error": 3,
};

const TYPE_DEPLOY = 1;
const TYPE_CALL = 2;

/** What Studio answers to `eth_getTransactionByHash`. The status is the name: genlayer-js 1.2.0 needs it so. */
export function encodeStudioTransaction(view: TransactionView): Record<string, unknown> {
  const { input, record, evm, status } = view;
  const { consensus } = record;
  const round = consensus.rounds.at(-1);
  const value = Number.isSafeInteger(Number(input.value)) ? Number(input.value) : input.value;
  return {
    hash: input.id,
    tx_id: input.id,
    from_address: input.sender,
    to_address: input.contract,
    sender: input.sender,
    recipient: input.contract,
    origin_address: input.sender,
    activator: input.sender,
    type: input.kind === "deploy" ? TYPE_DEPLOY : TYPE_CALL,
    value,
    nonce: input.nonce,
    gaslimit: 0,
    fees: null,
    r: null,
    s: null,
    v: null,
    data: {
      calldata: input.calldata,
      ...(input.code === undefined ? {} : { contract_code: input.code, contract_address: input.contract }),
    },
    status,
    result: RESULT_NUMBERS[consensus.result],
    result_name: consensus.result,
    txExecutionResult: EXECUTION_NUMBERS[consensus.execution],
    txExecutionResultName: consensus.execution,
    leader_only: input.mode === "LEADER_ONLY",
    execution_mode: input.mode,
    created_at: new Date(input.createdAt).toISOString(),
    created_timestamp: toSeconds(input.createdAt),
    current_timestamp: toSeconds(view.now),
    last_vote_timestamp: lastVoteAt(consensus),
    timestamp_awaiting_finalization: consensus.windowStart === null ? null : toSeconds(consensus.windowStart),
    appealed: consensus.appealedAt !== null,
    appeal_failed: consensus.failedAppeals,
    appeal_undetermined: false,
    appeal_leader_timeout: false,
    timestamp_appeal: consensus.appealedAt === null ? null : toSeconds(consensus.appealedAt),
    num_of_initial_validators: input.validators,
    config_rotation_rounds: input.maxRotations,
    rotation_count: consensus.rotationsUsed,
    consensus_data: consensusData(view, round),
    consensus_history: {
      consensus_results: consensus.rounds.map((each, index) => history(view, each, index)),
    },
    triggered_by: null,
    triggered_on: null,
    triggered_transactions: [],
    messages: [],
    sim_config: null,
    random_seed: input.id,
    read_state_block_range: {
      activation_block: evm.blockNumber,
      processing_block: evm.blockNumber,
      proposal_block: evm.blockNumber,
    },
    last_leader: round?.leader ?? null,
    tx_data: input.txData.slice(2),
    tx_execution_hash: standingLeaderReceipt(record)?.stateHash ?? null,
    eq_blocks_outputs: standingLeaderReceipt(record)?.nondetOutputs ?? [],
    queue_type: 0,
    queue_position: 0,
    last_round: round === undefined ? null : lastRound(view, round),
  };
}

/** A transaction in a list of many: without its payload, its receipts and its history, which can be megabytes. */
export function encodeStudioListing(view: TransactionView): Record<string, unknown> {
  const bulky = new Set(["data", "tx_data", "consensus_data", "consensus_history", "eq_blocks_outputs"]);
  return Object.fromEntries(Object.entries(encodeStudioTransaction(view)).filter(([key]) => !bulky.has(key)));
}

function consensusData(view: TransactionView, round: Round | undefined): unknown {
  const leader = standingLeaderReceipt(view.record);
  if (leader === undefined || round === undefined) return null;
  const last = view.record.consensus.rounds.length - 1;
  // A leader that ran alone leaves no validators; Studio reports it as agreed all the same.
  const votes = round.revealed ? Object.fromEntries(Object.entries(round.votes)) : {};
  const validators = round.revealed
    ? view.record.receipts.filter((receipt) => receipt.role === "validator" && receipt.round === last)
    : [];
  return {
    votes,
    leader_receipt: [encodeReceipt(view, leader)],
    validators: validators.map((receipt) => encodeReceipt(view, receipt)),
  };
}

function encodeReceipt(view: TransactionView, receipt: NodeReceipt): Record<string, unknown> {
  const label = view.nodes.get(receipt.node)?.label ?? { provider: "unknown", model: "unknown" };
  const isLeader = receipt.role === "leader";
  return {
    vote: isLeader ? "agree" : (receipt.vote ?? "not_voted"),
    execution_result: receipt.kind === "return" ? "SUCCESS" : "ERROR",
    result: withCode(receipt),
    calldata: isLeader ? view.input.calldata : "",
    gas_used: 0,
    mode: receipt.role,
    contract_state_hash: receipt.stateHash,
    contract_state: {},
    node_config: { address: receipt.node, ...label, primary_model: label },
    eq_outputs: Object.fromEntries(receipt.nondetOutputs.map((output, index) => [String(index), output])),
    pending_transactions: [],
    genvm_result: { stdout: receipt.stdout, stderr: receipt.stderr },
    processing_time: receipt.milliseconds,
    nondet_disagree: receipt.disagreedWith[0] ?? null,
  };
}

/** A run's result as GenVM writes it: one code byte, then the payload, in base64. */
export function withCode({ kind, data }: { kind: ExecutionKind; data: string }): string {
  return Buffer.concat([Buffer.of(RESULT_CODES[kind]), Buffer.from(data, "base64")]).toString("base64");
}

function history(view: TransactionView, round: Round, index: number): Record<string, unknown> {
  const receipts = view.record.receipts.filter((receipt) => receipt.round === index);
  const summary = (receipt: NodeReceipt): unknown => ({
    address: receipt.node,
    execution_result: receipt.kind === "return" ? "SUCCESS" : "ERROR",
    vote: round.revealed ? (round.votes[receipt.node] ?? "not_voted") : "not_voted",
  });
  return {
    consensus_round: `${round.purpose} ${index}`,
    result_name: round.result,
    leader_result: receipts.filter(({ role }) => role === "leader").map(summary),
    validator_results: receipts.filter(({ role }) => role === "validator").map(summary),
    status_changes: round.changes.map((change) => change.status),
    monitoring: Object.fromEntries(round.changes.map(({ status, at }) => [status, at / 1000])),
  };
}

function lastRound(view: TransactionView, round: Round): Record<string, unknown> {
  const { consensus } = view.record;
  const votes = shownVotes(round);
  return {
    round: consensus.rounds.length - 1,
    leader_index: 0,
    votes_committed: Object.keys(round.votes).length,
    votes_revealed: round.revealed ? Object.keys(round.votes).length : 0,
    appeal_bond: 0,
    rotations_left: consensus.maxRotations - consensus.rotationsUsed,
    result: RESULT_NUMBERS[round.result],
    round_validators: round.committee,
    validator_votes: votes.map(([, vote]) => VOTE_NUMBERS[vote]),
    validator_votes_name: votes.map(([, vote]) => vote.toUpperCase()),
    proposed_at: enteredAt(consensus, "PROPOSING"),
  };
}
