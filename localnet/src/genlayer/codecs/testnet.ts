import { Interface, keccak256, toBeHex, ZeroAddress, ZeroHash } from "ethers";

import type { Round } from "../consensus/consensus.ts";
import {
  EXECUTION_NUMBERS,
  RESULT_NUMBERS,
  type Result,
  STATUS_NUMBERS,
  type Vote,
  VOTE_NUMBERS,
} from "../consensus/names.ts";
import type { Hex } from "../execution/executor.ts";
import { lastVoteAt, shownVotes, standingLeaderReceipt, toSeconds, type TransactionView } from "./view.ts";

const BLOCK_RANGE = "(uint256 activationBlock, uint256 processingBlock, uint256 proposalBlock)";
const ROUND =
  "(uint256 round, uint256 leaderIndex, uint256 votesCommitted, uint256 votesRevealed, uint256 appealBond, " +
  "uint256 rotationsLeft, uint8 result, address[] roundValidators, uint8[] validatorVotes, " +
  "bytes32[] validatorVotesHash, bytes32[] validatorResultHash)";
const MESSAGE =
  "(uint8 messageType, address recipient, uint256 value, bytes data, bool onAcceptance, uint256 saltNonce)";
const TRANSACTION_DATA =
  "(uint256 currentTimestamp, address sender, address recipient, uint256 initialRotations, uint256 txSlot, " +
  "uint256 createdTimestamp, uint256 lastVoteTimestamp, bytes32 randomSeed, uint8 result, bytes32 txExecutionHash, " +
  `bytes txCalldata, bytes eqBlocksOutputs, ${MESSAGE}[] messages, uint8 queueType, uint256 queuePosition, ` +
  `address activator, address lastLeader, uint8 status, bytes32 txId, ${BLOCK_RANGE} readStateBlockRange, ` +
  `uint256 numOfRounds, ${ROUND} lastRound, address[] consumedValidators)`;
const TRANSACTION_ALL_DATA =
  "(uint8 result, uint8 txExecutionResult, uint8 previousStatus, uint8 status, address txOrigin, address sender, " +
  "address recipient, address activator, uint256 txSlot, uint256 initialRotations, uint256 numOfInitialValidators, " +
  "uint256 epoch, bytes32 id, bytes32 randomSeed, bytes32 txExecutionHash, bytes32 resultHash, bytes txCalldata, " +
  `bytes eqBlocksOutputs, ${BLOCK_RANGE}[] readStateBlockRanges, uint256 validUntil, uint256 value, ` +
  "uint256 lockedStorageUnitPrice, uint256 storageFeeUsed)";

/** The view functions of a testnet's contracts that genlayer-js and bridges read. */
const views = new Interface([
  `function getTransactionData(bytes32 txId, uint256 timestamp) view returns (${TRANSACTION_DATA})`,
  `function getTransactionAllData(bytes32 txId) view returns (${TRANSACTION_ALL_DATA} transaction, ${ROUND}[] roundsData)`,
  "function getTransactionStatus(bytes32 txId, uint256 timestamp) view returns (uint8)",
  "function getRoundNumber(bytes32 txId) view returns (uint256)",
  `function getRoundData(bytes32 txId, uint256 round) view returns (${ROUND})`,
  `function getLastRoundData(bytes32 txId) view returns (uint256 round, ${ROUND} roundData)`,
  "function calculateMinAppealBond(bytes32 txId, uint256 round, uint8 status) view returns (uint256)",
  "function canAppeal(bytes32 txId) view returns (bool)",
]);

/**
 * How a view function finds its transaction; undefined for an id that the network does not know. The status depends
 * on the time, which two of the functions let their caller say (Unix seconds).
 */
export type FindTransaction = (id: Hex, timestamp?: bigint) => TransactionView | undefined;

/**
 * Answers an `eth_call` to ConsensusData or one of the appeal contracts. An unknown id gives zeros, never an error.
 *
 * @returns the encoded answer, or undefined when no such function exists
 */
export function answerView(
  data: string,
  find: FindTransaction,
  canAppeal: (id: Hex) => boolean,
): Hex | undefined {
  const call = views.parseTransaction({ data });
  if (call === null) return undefined;
  const id = call.args[0] as Hex;
  const { args } = call;
  const isTimed = call.name === "getTransactionData" || call.name === "getTransactionStatus";
  const view = isTimed ? find(id, args[1] as bigint) : find(id);
  const encode = (values: readonly unknown[]): Hex =>
    views.encodeFunctionResult(call.fragment, values) as Hex;
  switch (call.name) {
    case "getTransactionData":
      return encode([transactionData(view, args[1] as bigint)]);
    case "getTransactionAllData":
      return encode([transactionAllData(view), view === undefined ? [] : rounds(view)]);
    case "getTransactionStatus":
      return encode([view === undefined ? 0 : STATUS_NUMBERS[view.status]]);
    case "getRoundNumber":
      return encode([Math.max(0, (view?.record.consensus.rounds.length ?? 0) - 1)]);
    case "getRoundData":
      return encode([(view === undefined ? [] : rounds(view))[Number(args[1])] ?? EMPTY_ROUND]);
    case "getLastRoundData": {
      const all = view === undefined ? [] : rounds(view);
      return encode([Math.max(0, all.length - 1), all.at(-1) ?? EMPTY_ROUND]);
    }
    case "calculateMinAppealBond":
      return encode([APPEAL_BOND]);
    default:
      return encode([canAppeal(id)]);
  }
}

/** Base units of the native token; any amount is taken, and nobody pays it back. */
const APPEAL_BOND = 1_000n;

const EMPTY_ROUND = [0, 0, 0, 0, 0, 0, 0, [], [], [], []] as const;
const NO_BLOCKS = [0, 0, 0] as const;

function transactionData(view: TransactionView | undefined, timestamp: bigint): readonly unknown[] {
  if (view === undefined) {
    const empty = [0, ZeroAddress, ZeroAddress, 0, 0, 0, 0, ZeroHash, 0, ZeroHash, "0x", "0x", [], 0, 0];
    return [...empty, ZeroAddress, ZeroAddress, 0, ZeroHash, NO_BLOCKS, 0, EMPTY_ROUND, []];
  }
  const { input, record, status } = view;
  const { consensus } = record;
  return [
    timestamp,
    input.sender,
    input.contract,
    input.maxRotations,
    input.sequence,
    toSeconds(input.createdAt),
    lastVoteAt(consensus),
    input.id,
    resultNumber(consensus.rounds.at(-1)?.votes, consensus.result),
    executionHash(view),
    input.txData,
    eqBlocksOutputs(view),
    [],
    0,
    0,
    input.sender,
    consensus.rounds.at(-1)?.leader ?? ZeroAddress,
    STATUS_NUMBERS[status],
    input.id,
    blocks(view),
    consensus.rounds.length,
    rounds(view).at(-1) ?? EMPTY_ROUND,
    [...new Set(consensus.rounds.flatMap(({ committee }) => committee))],
  ];
}

function transactionAllData(view: TransactionView | undefined): readonly unknown[] {
  if (view === undefined) {
    const addresses = [ZeroAddress, ZeroAddress, ZeroAddress, ZeroAddress];
    return [
      0,
      0,
      0,
      0,
      ...addresses,
      0,
      0,
      0,
      0,
      ZeroHash,
      ZeroHash,
      ZeroHash,
      ZeroHash,
      "0x",
      "0x",
      [],
      0,
      0,
      0,
      0,
    ];
  }
  const { input, record, status } = view;
  const { consensus } = record;
  const changes = consensus.rounds.flatMap((round) => round.changes);
  return [
    resultNumber(consensus.rounds.at(-1)?.votes, consensus.result),
    EXECUTION_NUMBERS[consensus.execution],
    STATUS_NUMBERS[changes.at(-2)?.status ?? "PENDING"],
    STATUS_NUMBERS[status],
    input.sender,
    input.sender,
    input.contract,
    input.sender,
    input.sequence,
    input.maxRotations,
    input.validators,
    0,
    input.id,
    input.id,
    executionHash(view),
    executionHash(view),
    input.txData,
    eqBlocksOutputs(view),
    [blocks(view)],
    input.validUntil,
    input.value,
    0,
    0,
  ];
}

/** A testnet tells a unanimous AGREE from a majority; Studio does not. */
function resultNumber(votes: Readonly<Record<Hex, Vote>> | undefined, result: Result): number {
  const cast = Object.values(votes ?? {});
  const isUnanimous = cast.length > 0 && cast.every((vote) => vote === "agree");
  return RESULT_NUMBERS[result === "MAJORITY_AGREE" && isUnanimous ? "AGREE" : result];
}

function executionHash(view: TransactionView): string {
  return standingLeaderReceipt(view.record)?.stateHash ?? ZeroHash;
}

function eqBlocksOutputs(view: TransactionView): string {
  const outputs = standingLeaderReceipt(view.record)?.nondetOutputs ?? [];
  return `0x${outputs.map((output) => Buffer.from(output, "base64").toString("hex")).join("")}`;
}

function blocks({ evm }: TransactionView): readonly number[] {
  return [evm.blockNumber, evm.blockNumber, evm.blockNumber];
}

function rounds({ record, input }: TransactionView): readonly (readonly unknown[])[] {
  const { consensus } = record;
  return consensus.rounds.map((round, index) => {
    const votes = shownVotes(round);
    return [
      index,
      Math.max(0, round.committee.indexOf(round.leader)),
      Object.keys(round.votes).length,
      round.revealed ? Object.keys(round.votes).length : 0,
      round.purpose === "appeal" ? APPEAL_BOND : 0,
      input.maxRotations - consensus.rotationsUsed,
      resultNumber(round.revealed ? round.votes : undefined, round.result),
      round.committee,
      votes.map(([, vote]) => VOTE_NUMBERS[vote]),
      votes.map(([node]) => commitment(round, node)),
      votes.map(([node]) => (round.revealed ? commitment(round, node) : ZeroHash)),
    ];
  });
}

/** Stands for the hash that a validator commits to before it reveals; nothing checks it. */
function commitment(round: Round, node: Hex): string {
  const vote = round.votes[node];
  return vote === undefined ? ZeroHash : keccak256(node + toBeHex(VOTE_NUMBERS[vote], 1).slice(2));
}
