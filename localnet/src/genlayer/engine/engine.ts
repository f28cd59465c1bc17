import type { Clock } from "../clock.ts";
import {
  AWAITING_FINALITY,
  type Consensus,
  ConsensusError,
  type ConsensusEvent,
  isDecided,
  nextStep,
  pending,
  TERMINAL,
  transition,
  windowEnd,
} from "../consensus/consensus.ts";
import type { Vote } from "../consensus/names.ts";
import { voteOn } from "../consensus/votes.ts";
import type { ContractState, ExecutionMode, ExecutionResult, Executor, Hex } from "../execution/executor.ts";
import type { TransactionFaultPlan } from "../faults/transaction-faults.ts";
import type { ChainKind } from "../kinds.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { NodeReceipt, TransactionInput, TransactionRecord } from "../ledger/records.ts";
import { drawOrder, type ValidatorNode } from "./nodes.ts";
import { applyAcceptance, applyFinality, liveStates, undoAcceptance } from "./outcomes.ts";
import { failed, outputsOf, runTransaction, toBytes, toReceipt } from "./runs.ts";

/** What may be changed while the network runs. */
export interface EngineSettings {
  finalityWindowMilliseconds: number;
  /** When true, a transaction whose window has ended waits for `finalizeTransaction`. */
  manualFinality: boolean;
  /** A pause before a proposal and before votes are revealed, so that pollers can see the statuses. */
  phaseMilliseconds: number;
}

/** What the engine works with. */
export interface EngineOptions {
  readonly kind: ChainKind;
  readonly chainId: number;
  readonly ledger: Ledger;
  readonly executor: Executor;
  readonly nodes: readonly ValidatorNode[];
  /** The most nodes that vote on a proposal, however many the sender asks for. */
  readonly validatorsPerTransaction: number;
  readonly clock: Clock;
  readonly faults: TransactionFaultPlan;
  readonly settings: EngineSettings;
  /** How long one node may run a transaction. */
  readonly executionTimeoutMilliseconds: number;
}

/**
 * Carries every transaction through consensus: performs the steps that the pure state machine asks for, keeps each
 * outcome before the next step, and applies what was decided to the contracts.
 *
 * The transactions of one contract run and finalize one after the other, in the order of submission; different
 * contracts do not wait for each other. Everything is resumed from the ledger after a restart.
 */
export interface Engine {
  submit(input: TransactionInput): void;
  /** @throws {@link ConsensusError} when it cannot be appealed now */
  appeal(id: Hex): void;
  /** @throws {@link ConsensusError} unless its window has ended and it is the next of its contract */
  finalize(id: Hex): void;
  /** @throws {@link ConsensusError} unless it is PENDING */
  cancel(id: Hex): void;
  /** Whether the finality window of a decided transaction has ended by `at` (Unix milliseconds). */
  isReadyToFinalize(record: TransactionRecord, at: number): boolean;
  /** Looks again at what is due, after settings, the clock or the ledger were changed from outside. */
  reconsider(): void;
  /** Abandons all runs, as after the ledger was cleared. */
  abandon(): void;
  stop(): void;
}

export function createEngine(options: EngineOptions): Engine {
  const { ledger, clock, nodes, settings, faults } = options;
  const nodeAt = new Map(nodes.map((node) => [node.address, node]));
  const runContext = {
    ledger,
    executor: options.executor,
    chainId: options.chainId,
    timeoutMilliseconds: options.executionTimeoutMilliseconds,
  };

  /** Changes when everything under way must be dropped. */
  let era = {};
  let stopped = false;
  let driven = new Set<Hex>();
  /** Per contract, how many of its first transactions are terminal. */
  let settled = new Map<Hex, number>();
  let cancelTimer = (): void => undefined;

  const inputOf = (id: Hex): TransactionInput => required(ledger.inputs.get(id), id);
  const recordOf = (id: Hex): TransactionRecord => required(ledger.transactions.get(id), id);

  function save(record: TransactionRecord): TransactionRecord {
    ledger.transactions.put(record.id, record);
    return record;
  }

  function advance(
    id: Hex,
    event: ConsensusEvent,
    change: Partial<TransactionRecord> = {},
  ): TransactionRecord {
    const record = recordOf(id);
    return save({ ...record, ...change, consensus: transition(record.consensus, event) });
  }

  /** The transactions of a contract that may still change. */
  function openTransactions(contract: Hex): readonly TransactionRecord[] {
    const ids = ledger.transactionsOf(contract);
    let first = settled.get(contract) ?? 0;
    for (
      let id = ids[first];
      id !== undefined && TERMINAL.has(recordOf(id).consensus.status);
      id = ids[first]
    ) {
      first += 1;
    }
    settled.set(contract, first);
    return ids.slice(first).map(recordOf);
  }

  async function drive(contract: Hex): Promise<void> {
    if (stopped || driven.has(contract)) return;
    const [mine, inDrive] = [era, driven];
    inDrive.add(contract);
    try {
      while (era === mine) {
        const next = openTransactions(contract).find(({ consensus }) => !isDecided(consensus.status));
        if (next === undefined) return;
        await perform(
          next,
          () => era === mine && ledger.transactions.get(next.id)?.consensus === next.consensus,
        );
        if (era === mine) sweep();
      }
    } catch (error) {
      // What was under way when everything was dropped has nowhere to put its outcome.
      if (era === mine) throw error;
    } finally {
      inDrive.delete(contract);
    }
  }

  /** Does a transaction's next step. What took time is kept only when `isCurrent` still holds. */
  async function perform(record: TransactionRecord, isCurrent: () => boolean): Promise<void> {
    const { id } = record;
    const step = nextStep(record.consensus);
    switch (step.do) {
      case "activate": {
        const candidates = drawOrder(nodes, id);
        advance(
          id,
          { type: "activated", candidates, at: clock.now() },
          { faults: faults.draw(inputOf(id).contract) },
        );
        return;
      }
      case "propose":
        await pause();
        if (isCurrent()) advance(id, { type: "proposing", at: clock.now() });
        return;
      case "lead": {
        const begun = { ...record, stateBefore: acceptedState(record) };
        const [receipt, state] = await lead(begun, step.leader);
        if (isCurrent()) keepLeader(begun, receipt, state);
        return;
      }
      case "vote": {
        const receipts = await Promise.all(
          step.voters.map((voter, index) => vote(record, voter, index, step.voters.length)),
        );
        if (isCurrent()) keepVotes(record, receipts, step.leader);
        return;
      }
      case "reveal":
        await pause();
        if (isCurrent()) ledger.atomically(() => reveal(record));
        return;
      case "wait":
      case "nothing":
        return;
    }
  }

  function acceptedState(record: TransactionRecord): Hex | null {
    return ledger.contracts.get(inputOf(record.id).contract)?.accepted ?? null;
  }

  async function lead(
    record: TransactionRecord,
    leader: Hex,
  ): Promise<readonly [NodeReceipt, ContractState | null]> {
    const started = clock.now();
    const { leaderTimeout, leaderOutputs: lies } = record.faults;
    // A leader that lies runs on with its lies, as its validators will.
    const mode: ExecutionMode =
      lies === undefined ? { role: "leader" } : { role: "validator", leaderOutputs: lies.map(toBytes) };
    const result = leaderTimeout
      ? failed("timeout", "the leader was told to time out")
      : await runTransaction(runContext, nodeOf(leader), inputOf(record.id), record, mode);
    const receipt = toReceipt(result, {
      round: record.consensus.rounds.length - 1,
      node: leader,
      role: "leader",
      milliseconds: clock.now() - started,
    });
    return [
      lies === undefined ? receipt : { ...receipt, nondetOutputs: lies, disagreedWith: [] },
      result.state,
    ];
  }

  function keepLeader(record: TransactionRecord, receipt: NodeReceipt, state: ContractState | null): void {
    const outcome = receipt.kind === "return" ? "return" : isNoOutcome(receipt.kind) ? "timeout" : "error";
    ledger.atomically(() => {
      if (state !== null) ledger.keepState(state);
      const led = advance(
        record.id,
        { type: "led", outcome, at: clock.now() },
        {
          stateBefore: record.stateBefore,
          stateAfter: receipt.stateHash,
          receipts: [...record.receipts, receipt],
        },
      );
      if (led.consensus.status === "ACCEPTED") applyAcceptance(ledger, inputOf(led.id), led);
    });
  }

  async function vote(
    record: TransactionRecord,
    voter: Hex,
    index: number,
    voters: number,
  ): Promise<NodeReceipt> {
    const round = record.consensus.rounds.length - 1;
    const forced = record.faults.forcedVotes;
    if (forced !== undefined && index >= voters - forced.validators) {
      const result = failed("internal-error", `the validator was told to vote ${forced.vote}`);
      const about = { round, node: voter, role: "validator", milliseconds: 0 } as const;
      return { ...toReceipt(result, about), vote: forced.vote };
    }
    const leader = leaderReceipt(record);
    const started = clock.now();
    const result = await runTransaction(runContext, nodeOf(voter), inputOf(record.id), record, {
      role: "validator",
      leaderOutputs: outputsOf(leader),
    });
    const about = { round, node: voter, role: "validator", milliseconds: clock.now() - started } as const;
    const receipt = toReceipt(result, about);
    return { ...receipt, vote: judge(leader, receipt, result) };
  }

  function keepVotes(record: TransactionRecord, receipts: readonly NodeReceipt[], leader: Hex): void {
    const votes: Record<Hex, Vote> = {};
    if (record.consensus.status === "COMMITTING") votes[leader] = "agree";
    for (const { node, vote = "idle" } of receipts) votes[node] = vote;
    advance(
      record.id,
      { type: "committed", votes, at: clock.now() },
      { receipts: [...record.receipts, ...receipts] },
    );
  }

  function reveal(record: TransactionRecord): void {
    const revealed = advance(record.id, { type: "revealed", at: clock.now() });
    const wasAppeal = record.consensus.status === "APPEAL_REVEALING";
    if (wasAppeal && revealed.consensus.status === "PENDING") rollBack(record);
    if (!wasAppeal && revealed.consensus.status === "ACCEPTED") {
      applyAcceptance(ledger, inputOf(revealed.id), revealed);
    }
  }

  /** Undoes a transaction and everything that its contract did after it. */
  function rollBack(record: TransactionRecord): void {
    const input = inputOf(record.id);
    undoAcceptance(ledger, input, record);
    const open = openTransactions(input.contract);
    const later = open.slice(open.findIndex(({ id }) => id === record.id) + 1);
    for (const { id, consensus } of later) {
      if (consensus.status === "PENDING" || TERMINAL.has(consensus.status)) continue;
      advance(id, { type: "rolled-back", at: clock.now() }, { stateBefore: null, stateAfter: null });
    }
  }

  /** Finalizes what is due, contract by contract, and comes back when the next is. */
  function sweep(): void {
    cancelTimer();
    const now = clock.now();
    let nextDue = Number.POSITIVE_INFINITY;
    for (const contract of ledger.recipients()) {
      let blocked = false;
      for (const record of openTransactions(contract)) {
        const due = windowEnd(record.consensus, settings.finalityWindowMilliseconds);
        const isAlone = record.consensus.mode !== "NORMAL";
        if (due === null || (blocked && !isAlone) || (settings.manualFinality && !isAlone) || due > now) {
          if (due !== null && !blocked && due > now) nextDue = Math.min(nextDue, due);
          blocked = blocked || !TERMINAL.has(record.consensus.status);
          continue;
        }
        conclude(record);
      }
    }
    if (!stopped && nextDue !== Number.POSITIVE_INFINITY) cancelTimer = clock.at(nextDue, sweep);
  }

  function conclude(record: TransactionRecord): void {
    ledger.atomically(() => {
      advance(record.id, { type: "window-elapsed", at: clock.now() });
      applyFinality(options.kind, ledger, inputOf(record.id), record);
      ledger.retainStates(liveStates(ledger, ledger.recipients().flatMap(openTransactions)));
    });
  }

  function pause(): Promise<void> {
    if (settings.phaseMilliseconds === 0) return Promise.resolve();
    return new Promise((resolve) => void clock.at(clock.now() + settings.phaseMilliseconds, resolve));
  }

  function nodeOf(address: Hex): ValidatorNode {
    return required(nodeAt.get(address), address);
  }

  function reconsider(): void {
    for (const contract of ledger.recipients()) void drive(contract);
    sweep();
  }

  return {
    submit(input) {
      ledger.atomically(() => {
        ledger.inputs.put(input.id, input);
        const { mode, maxRotations } = input;
        save({
          id: input.id,
          consensus: pending({
            mode,
            maxRotations,
            committeeSize: Math.min(input.validators, options.validatorsPerTransaction),
          }),
          receipts: [],
          stateBefore: null,
          stateAfter: null,
          faults: {},
          shownStatus: null,
        });
      });
      void drive(input.contract);
    },
    appeal(id) {
      ledger.atomically(() => {
        const record = recordOf(id);
        const drawn = { faults: faults.draw(inputOf(id).contract) };
        const appealed = advance(id, { type: "appealed", at: clock.now() }, drawn);
        if (appealed.consensus.status === "PENDING") rollBack(record);
      });
      void drive(inputOf(id).contract);
    },
    finalize(id) {
      const record = recordOf(id);
      const first = openTransactions(inputOf(id).contract)[0];
      if (!isReady(record.consensus, clock.now()) || first?.id !== id) {
        throw new ConsensusError(
          record.consensus.status,
          "window-elapsed",
          "it is not ready to be finalized",
        );
      }
      conclude(record);
      sweep();
    },
    cancel(id) {
      advance(id, { type: "canceled", at: clock.now() });
      reconsider();
    },
    isReadyToFinalize: (record, at) => isReady(record.consensus, at),
    reconsider,
    abandon() {
      era = {};
      driven = new Set();
      settled = new Map();
      cancelTimer();
    },
    stop() {
      stopped = true;
      era = {};
      cancelTimer();
    },
  };

  function isReady(consensus: Consensus, at: number): boolean {
    const due = windowEnd(consensus, settings.finalityWindowMilliseconds);
    return AWAITING_FINALITY.has(consensus.status) && due !== null && due <= at;
  }
}

/** The run that the validators of `record` rule on. */
export function leaderReceipt(record: TransactionRecord): NodeReceipt {
  return required(
    record.receipts.findLast(({ role }) => role === "leader"),
    record.id,
  );
}

function judge(leader: NodeReceipt, own: NodeReceipt, result: ExecutionResult): Vote {
  return voteOn(leader, { ...own, validatorVotes: result.validatorVotes });
}

/** Whether a run says nothing about the contract: the time ran out, or the node itself failed. */
function isNoOutcome(kind: ExecutionResult["kind"]): boolean {
  return kind === "timeout" || kind === "internal-error";
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is not known`);
  return value;
}
