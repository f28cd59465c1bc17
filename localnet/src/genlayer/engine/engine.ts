import type { Clock } from "../clock.ts";
import { isDecided, nextStep, pending, TERMINAL } from "../consensus/consensus.ts";
import type { Vote } from "../consensus/names.ts";
import type { Executor, Hex } from "../execution/executor.ts";
import type { TransactionFaultPlan } from "../faults/transaction-faults.ts";
import type { ChainKind } from "../kinds.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { NodeReceipt, TransactionInput, TransactionRecord } from "../ledger/records.ts";
import { createFinality, type FinalitySettings } from "./finality.ts";
import { drawOrder, type ValidatorNode } from "./nodes.ts";
import { applyAcceptance, undoAcceptance } from "./outcomes.ts";
import { forcedReceipt, type LeaderRun, runLeader, runValidator } from "./runs.ts";
import { createTransactions } from "./transactions.ts";

/** What may be changed while the network runs. */
export interface EngineSettings extends FinalitySettings {
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
  const transactions = createTransactions(ledger);
  const finality = createFinality({ ...options, transactions });
  const nodeAt = new Map(nodes.map((node) => [node.address, node]));

  /** Changes when everything under way must be dropped. */
  let era = {};
  let stopped = false;
  let driven = new Set<Hex>();

  /** Takes the contract's transactions on, step by step, until all are decided. */
  async function drive(contract: Hex): Promise<void> {
    if (stopped || driven.has(contract)) return;
    const [mine, inDrive] = [era, driven];
    inDrive.add(contract);
    try {
      while (era === mine) {
        const next = transactions.open(contract).find(({ consensus }) => !isDecided(consensus.status));
        if (next === undefined) return;
        const isCurrent = (): boolean =>
          era === mine && ledger.transactions.get(next.id)?.consensus === next.consensus;
        await perform(next, isCurrent);
        if (era === mine) finality.sweep();
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
    const input = transactions.input(id);
    const step = nextStep(record.consensus);
    switch (step.do) {
      case "activate": {
        const event = { type: "activated", candidates: drawOrder(nodes, id), at: clock.now() } as const;
        transactions.advance(id, event, { faults: faults.draw(input.contract) });
        return;
      }
      case "propose":
        await pause();
        if (isCurrent()) transactions.advance(id, { type: "proposing", at: clock.now() });
        return;
      case "lead": {
        const stateBefore = ledger.contracts.get(input.contract)?.accepted ?? null;
        const begun = { ...record, stateBefore };
        const run = await runLeader(options, nodeOf(step.leader), input, begun);
        if (isCurrent()) ledger.atomically(() => keepLeader(begun, run));
        return;
      }
      case "vote": {
        const voters = step.voters.map(nodeOf);
        const receipts = await Promise.all(voters.map((node, index) => vote(node, index, voters.length)));
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

    /** Those who vote as they are told are the last of the committee. */
    async function vote(node: ValidatorNode, index: number, voters: number): Promise<NodeReceipt> {
      const forced = record.faults.forcedVotes;
      return forced !== undefined && index >= voters - forced.validators
        ? forcedReceipt(node, record, forced.vote)
        : await runValidator(options, node, input, record);
    }
  }

  function keepLeader({ id, receipts, stateBefore }: TransactionRecord, { receipt, state }: LeaderRun): void {
    if (state !== null) ledger.keepState(state);
    const led = transactions.advance(
      id,
      { type: "led", outcome: outcomeOf(receipt), at: clock.now() },
      { stateBefore, stateAfter: receipt.stateHash, receipts: [...receipts, receipt] },
    );
    if (led.consensus.status === "ACCEPTED") applyAcceptance(ledger, transactions.input(id), led);
  }

  function keepVotes(record: TransactionRecord, receipts: readonly NodeReceipt[], leader: Hex): void {
    const votes: Record<Hex, Vote> = {};
    if (record.consensus.status === "COMMITTING") votes[leader] = "agree";
    for (const { node, vote = "idle" } of receipts) votes[node] = vote;
    const event = { type: "committed", votes, at: clock.now() } as const;
    transactions.advance(record.id, event, { receipts: [...record.receipts, ...receipts] });
  }

  function reveal({ id, consensus }: TransactionRecord): void {
    const isAppeal = consensus.status === "APPEAL_REVEALING";
    const revealed = transactions.advance(id, { type: "revealed", at: clock.now() });
    const { status } = revealed.consensus;
    if (isAppeal && status === "PENDING") rollBack(revealed);
    if (!isAppeal && status === "ACCEPTED") applyAcceptance(ledger, transactions.input(id), revealed);
  }

  /** Undoes a transaction and everything that its contract did after it. */
  function rollBack(record: TransactionRecord): void {
    const input = transactions.input(record.id);
    undoAcceptance(ledger, input, record);
    const open = transactions.open(input.contract);
    const later = open.slice(open.findIndex(({ id }) => id === record.id) + 1);
    for (const { id, consensus } of later) {
      if (consensus.status === "PENDING" || TERMINAL.has(consensus.status)) continue;
      transactions.advance(
        id,
        { type: "rolled-back", at: clock.now() },
        { stateBefore: null, stateAfter: null },
      );
    }
  }

  function pause(): Promise<void> {
    if (settings.phaseMilliseconds === 0) return Promise.resolve();
    return new Promise((resolve) => void clock.at(clock.now() + settings.phaseMilliseconds, resolve));
  }

  function nodeOf(address: Hex): ValidatorNode {
    const node = nodeAt.get(address);
    if (node === undefined) throw new Error(`node ${address} is not known`);
    return node;
  }

  function reconsider(): void {
    for (const contract of ledger.recipients()) void drive(contract);
    finality.sweep();
  }

  return {
    submit(input) {
      ledger.atomically(() => {
        ledger.inputs.put(input.id, input);
        transactions.save(fresh(input, options.validatorsPerTransaction));
      });
      void drive(input.contract);
    },
    appeal(id) {
      const { contract } = transactions.input(id);
      ledger.atomically(() => {
        const event = { type: "appealed", at: clock.now() } as const;
        const appealed = transactions.advance(id, event, { faults: faults.draw(contract) });
        if (appealed.consensus.status === "PENDING") rollBack(appealed);
      });
      void drive(contract);
    },
    finalize: (id) => finality.finalize(id),
    cancel(id) {
      transactions.advance(id, { type: "canceled", at: clock.now() });
      reconsider();
    },
    isReadyToFinalize: ({ consensus }, at) => finality.isReady(consensus, at),
    reconsider,
    abandon() {
      era = {};
      driven = new Set();
      transactions.forget();
      finality.rest();
    },
    stop() {
      stopped = true;
      era = {};
      finality.rest();
    },
  };
}

function fresh(input: TransactionInput, mostValidators: number): TransactionRecord {
  const { id, mode, maxRotations, validators } = input;
  return {
    id,
    consensus: pending({ mode, maxRotations, committeeSize: Math.min(validators, mostValidators) }),
    receipts: [],
    stateBefore: null,
    stateAfter: null,
    faults: {},
    shownStatus: null,
  };
}

/** A run that ran out of time, or whose node broke down, says nothing about the contract. */
function outcomeOf({ kind }: NodeReceipt): "return" | "error" | "timeout" {
  if (kind === "return") return "return";
  return kind === "timeout" || kind === "internal-error" ? "timeout" : "error";
}
