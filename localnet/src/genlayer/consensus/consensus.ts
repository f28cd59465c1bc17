import type { Hex } from "../execution/executor.ts";
import type { Execution, Result, Status, Vote } from "./names.ts";
import { tally } from "./votes.ts";

/** Who runs a transaction: everyone, its leader alone, or its leader that also votes on itself. */
export type ExecutionMode = "NORMAL" | "LEADER_ONLY" | "LEADER_SELF_VALIDATOR";

/** A status and the moment (Unix milliseconds) at which it was entered. */
export interface StatusChange {
  readonly status: Status;
  readonly at: number;
}

/** One proposal with its votes, or the votes of one appeal. */
export interface Round {
  readonly purpose: "proposal" | "appeal";
  /** Nodes that vote in this round. A proposal's leader comes first; an appeal judges the leader before it. */
  readonly committee: readonly Hex[];
  readonly leader: Hex;
  /** Committed votes; to be shown only when the round is {@link Round.revealed}. */
  readonly votes: Readonly<Record<Hex, Vote>>;
  readonly revealed: boolean;
  readonly result: Result;
  readonly changes: readonly StatusChange[];
}

/** Everything that consensus knows about one transaction. Immutable; {@link transition} makes the next one. */
export interface Consensus {
  readonly status: Status;
  readonly result: Result;
  readonly execution: Execution;
  readonly mode: ExecutionMode;
  /** How many nodes vote on a proposal; won appeals and appeals of undecided rounds make it larger. */
  readonly committeeSize: number;
  readonly maxRotations: number;
  readonly rotationsUsed: number;
  /** Every node, in the order drawn for this transaction; committees are windows over it. Empty while PENDING. */
  readonly candidates: readonly Hex[];
  /** Where the current committee begins among the candidates. */
  readonly offset: number;
  readonly rounds: readonly Round[];
  /** When the finality window began (Unix milliseconds); null while undecided. */
  readonly windowStart: number | null;
  /** When the appeal that is being judged was submitted. */
  readonly appealedAt: number | null;
  readonly failedAppeals: number;
  readonly appeals: number;
}

/** What happened to a transaction. `at` is Unix milliseconds. */
export type ConsensusEvent =
  | { readonly type: "activated"; readonly candidates: readonly Hex[]; readonly at: number }
  | { readonly type: "proposing"; readonly at: number }
  | { readonly type: "led"; readonly outcome: "return" | "error" | "timeout"; readonly at: number }
  | { readonly type: "committed"; readonly votes: Readonly<Record<Hex, Vote>>; readonly at: number }
  | { readonly type: "revealed"; readonly at: number }
  | { readonly type: "appealed"; readonly at: number }
  | { readonly type: "window-elapsed"; readonly at: number }
  | { readonly type: "canceled"; readonly at: number }
  /** An earlier transaction of the contract is judged anew, so this one runs again after it. */
  | { readonly type: "rolled-back"; readonly at: number };

/** What has to be done next for a transaction; the engine does it and reports an event. */
export type Step =
  | { readonly do: "activate" | "propose" | "reveal" | "nothing" }
  | { readonly do: "lead"; readonly leader: Hex }
  | { readonly do: "vote"; readonly leader: Hex; readonly voters: readonly Hex[] }
  | { readonly do: "wait" };

/** An event that cannot happen to a transaction in its status. */
export class ConsensusError extends Error {
  override readonly name = "ConsensusError";
  readonly status: Status;
  readonly event: ConsensusEvent["type"];

  constructor(status: Status, event: ConsensusEvent["type"], reason?: string) {
    super(reason ?? `a transaction that is ${status} cannot be ${event}`);
    this.status = status;
    this.event = event;
  }
}

/** Statuses in which the votes are counted and the finality window runs. */
export const AWAITING_FINALITY: ReadonlySet<Status> = new Set<Status>([
  "ACCEPTED",
  "UNDETERMINED",
  "VALIDATORS_TIMEOUT",
  "LEADER_TIMEOUT",
]);

/** Statuses that never change again. */
export const TERMINAL: ReadonlySet<Status> = new Set<Status>(["FINALIZED", "CANCELED"]);

/** Whether the next transaction of the same contract may run. */
export function isDecided(status: Status): boolean {
  return AWAITING_FINALITY.has(status) || TERMINAL.has(status);
}

/** A transaction that has just been queued. */
export function pending(options: {
  readonly mode: ExecutionMode;
  readonly committeeSize: number;
  readonly maxRotations: number;
}): Consensus {
  return {
    ...options,
    status: "PENDING",
    result: "IDLE",
    execution: "NOT_VOTED",
    rotationsUsed: 0,
    candidates: [],
    offset: 0,
    rounds: [],
    windowStart: null,
    appealedAt: null,
    failedAppeals: 0,
    appeals: 0,
  };
}

/** How many further nodes judge an appeal: two more than voted, and twice as many after each appeal that failed. */
export function appealCommitteeSize(consensus: Consensus): number {
  return (consensus.committeeSize + 2) * 2 ** consensus.failedAppeals;
}

/** Each failed appeal shortens the finality window to four fifths. */
const WINDOW_SHRINKAGE = 0.8;

/** When a decided transaction's window ends (Unix milliseconds), for a window of `windowMilliseconds`. */
export function windowEnd(consensus: Consensus, windowMilliseconds: number): number | null {
  if (consensus.windowStart === null || !AWAITING_FINALITY.has(consensus.status)) return null;
  if (consensus.mode !== "NORMAL") return consensus.windowStart;
  return consensus.windowStart + Math.round(windowMilliseconds * WINDOW_SHRINKAGE ** consensus.failedAppeals);
}

/** What has to be done next. */
export function nextStep(consensus: Consensus): Step {
  switch (consensus.status) {
    case "PENDING":
      return { do: "activate" };
    case "ACTIVATED":
      return { do: "propose" };
    case "PROPOSING":
      return { do: "lead", leader: lastRound(consensus).leader };
    case "COMMITTING": {
      const { leader, committee } = lastRound(consensus);
      return { do: "vote", leader, voters: committee.filter((node) => node !== leader) };
    }
    case "APPEAL_COMMITTING": {
      const { leader, committee } = lastRound(consensus);
      return { do: "vote", leader, voters: committee };
    }
    case "REVEALING":
    case "APPEAL_REVEALING":
      return { do: "reveal" };
    default:
      return { do: AWAITING_FINALITY.has(consensus.status) ? "wait" : "nothing" };
  }
}

/**
 * The consensus state machine.
 *
 * | from | event | to |
 * |---|---|---|
 * | PENDING | activated | ACTIVATED |
 * | ACTIVATED | proposing | PROPOSING |
 * | PROPOSING | led (return, error) | COMMITTING; ACCEPTED when the leader runs alone |
 * | PROPOSING | led (timeout) | LEADER_TIMEOUT |
 * | COMMITTING | committed | REVEALING |
 * | REVEALING | revealed | ACCEPTED, VALIDATORS_TIMEOUT, PROPOSING under the next leader, or UNDETERMINED |
 * | ACCEPTED | appealed | APPEAL_COMMITTING |
 * | APPEAL_COMMITTING | committed | APPEAL_REVEALING |
 * | APPEAL_REVEALING | revealed | ACCEPTED (appeal failed) or PENDING with a larger committee |
 * | UNDETERMINED, VALIDATORS_TIMEOUT, LEADER_TIMEOUT | appealed | PENDING with a larger committee |
 * | ACCEPTED, UNDETERMINED, VALIDATORS_TIMEOUT, LEADER_TIMEOUT | window-elapsed | FINALIZED |
 * | the same, ACTIVATED to REVEALING, appeal states | rolled-back | PENDING |
 * | PENDING | canceled | CANCELED |
 *
 * @throws {@link ConsensusError} when the event cannot happen in this status
 */
export function transition(consensus: Consensus, event: ConsensusEvent): Consensus {
  const { status } = consensus;
  const refuse = (reason?: string): never => {
    throw new ConsensusError(status, event.type, reason);
  };
  switch (event.type) {
    case "activated":
      if (status !== "PENDING") return refuse();
      if (event.candidates.length === 0) return refuse("there are no validators");
      return { ...consensus, status: "ACTIVATED", candidates: event.candidates };
    case "proposing":
      return status === "ACTIVATED" ? openProposal(consensus, event.at) : refuse();
    case "led":
      return status === "PROPOSING" ? afterLeader(consensus, event.outcome, event.at) : refuse();
    case "committed": {
      if (status !== "COMMITTING" && status !== "APPEAL_COMMITTING") return refuse();
      const next = status === "COMMITTING" ? "REVEALING" : "APPEAL_REVEALING";
      return enter(amendRound(consensus, { votes: event.votes }), next, event.at);
    }
    case "revealed":
      if (status === "REVEALING") return afterVotes(consensus, event.at);
      return status === "APPEAL_REVEALING" ? afterAppealVotes(consensus, event.at) : refuse();
    case "appealed":
      if (consensus.mode !== "NORMAL")
        return refuse("a transaction that only its leader ran cannot be appealed");
      if (status === "ACCEPTED") return openAppeal(consensus, event.at);
      return AWAITING_FINALITY.has(status)
        ? retry(consensus, enlarged(consensus), consensus.offset + 1)
        : refuse();
    case "window-elapsed":
      return AWAITING_FINALITY.has(status) ? enter(consensus, "FINALIZED", event.at) : refuse();
    case "canceled":
      return status === "PENDING" ? { ...consensus, status: "CANCELED" } : refuse();
    case "rolled-back":
      if (status === "PENDING" || TERMINAL.has(status)) return refuse();
      return retry(consensus, consensus.committeeSize, consensus.offset);
  }
}

/** The round that runs or was the last to run. */
export function lastRound(consensus: Consensus): Round {
  const round = consensus.rounds.at(-1);
  if (round === undefined) throw new Error(`a transaction that is ${consensus.status} has no round`);
  return round;
}

function committeeAt(consensus: Consensus, offset: number, size: number): readonly Hex[] {
  const { candidates } = consensus;
  return Array.from({ length: Math.min(size, candidates.length) }, (_, index) => {
    const node = candidates[(offset + index) % candidates.length];
    if (node === undefined) throw new Error("there are no validators");
    return node;
  });
}

function amendRound(consensus: Consensus, change: Partial<Round>): Consensus {
  return { ...consensus, rounds: [...consensus.rounds.slice(0, -1), { ...lastRound(consensus), ...change }] };
}

/** Enters a status within the current round and notes when. */
function enter(consensus: Consensus, status: Status, at: number): Consensus {
  const changes = [...lastRound(consensus).changes, { status, at }];
  return { ...amendRound(consensus, { changes }), status };
}

function openProposal(consensus: Consensus, at: number): Consensus {
  const size = consensus.mode === "NORMAL" ? consensus.committeeSize : 1;
  const committee = committeeAt(consensus, consensus.offset, size);
  const leader = committee[0];
  if (leader === undefined) throw new Error("there are no validators");
  const round: Round = {
    purpose: "proposal",
    committee,
    leader,
    votes: {},
    revealed: false,
    result: "IDLE",
    changes: [{ status: "PROPOSING", at }],
  };
  return {
    ...consensus,
    status: "PROPOSING",
    result: "IDLE",
    execution: "NOT_VOTED",
    rounds: [...consensus.rounds, round],
  };
}

function afterLeader(consensus: Consensus, outcome: "return" | "error" | "timeout", at: number): Consensus {
  const execution: Execution = outcome === "return" ? "FINISHED_WITH_RETURN" : "FINISHED_WITH_ERROR";
  const led = { ...consensus, execution };
  if (outcome === "timeout") return decide(led, "LEADER_TIMEOUT", "NO_MAJORITY", at);
  if (consensus.mode === "NORMAL") return enter(led, "COMMITTING", at);
  const votes: Record<Hex, Vote> =
    consensus.mode === "LEADER_SELF_VALIDATOR" ? { [lastRound(consensus).leader]: "agree" } : {};
  return decide(amendRound(led, { votes }), "ACCEPTED", "MAJORITY_AGREE", at);
}

function decide(consensus: Consensus, status: Status, result: Result, at: number): Consensus {
  const entered = enter(amendRound(consensus, { revealed: true, result }), status, at);
  return { ...entered, result, windowStart: at };
}

function afterVotes(consensus: Consensus, at: number): Consensus {
  const result = tally(Object.values(lastRound(consensus).votes));
  if (result === "MAJORITY_AGREE") return decide(consensus, "ACCEPTED", result, at);
  if (result === "TIMEOUT") return decide(consensus, "VALIDATORS_TIMEOUT", result, at);
  if (consensus.rotationsUsed >= consensus.maxRotations) return decide(consensus, "UNDETERMINED", result, at);
  const closed = amendRound(consensus, { revealed: true, result });
  return openProposal(
    { ...closed, rotationsUsed: consensus.rotationsUsed + 1, offset: consensus.offset + 1 },
    at,
  );
}

function openAppeal(consensus: Consensus, at: number): Consensus {
  const proposal = lastProposal(consensus);
  const roundsSince = consensus.rounds.slice(consensus.rounds.lastIndexOf(proposal));
  const heard = new Set(roundsSince.flatMap((round) => round.committee));
  const committee = consensus.candidates
    .filter((node) => !heard.has(node))
    .slice(0, appealCommitteeSize(consensus));
  if (committee.length === 0) {
    throw new ConsensusError(consensus.status, "appealed", "no validators are left to judge another appeal");
  }
  const round: Round = {
    purpose: "appeal",
    committee,
    leader: proposal.leader,
    votes: {},
    revealed: false,
    result: "IDLE",
    changes: [{ status: "APPEAL_COMMITTING", at }],
  };
  return {
    ...consensus,
    status: "APPEAL_COMMITTING",
    rounds: [...consensus.rounds, round],
    appealedAt: at,
    appeals: consensus.appeals + 1,
  };
}

/** The proposal whose outcome stands or is being appealed. */
export function lastProposal(consensus: Consensus): Round {
  const round = consensus.rounds.findLast(({ purpose }) => purpose === "proposal");
  if (round === undefined) throw new Error(`a transaction that is ${consensus.status} has no proposal`);
  return round;
}

function afterAppealVotes(consensus: Consensus, at: number): Consensus {
  const result = tally(Object.values(lastRound(consensus).votes));
  const closed = amendRound(consensus, { revealed: true, result });
  if (result !== "MAJORITY_AGREE") return retry(closed, enlarged(consensus), consensus.offset + 1);
  // The time that the appeal took does not count towards the window.
  const lost = at - (consensus.appealedAt ?? at);
  return {
    ...enter(closed, "ACCEPTED", at),
    windowStart: (consensus.windowStart ?? at) + lost,
    appealedAt: null,
    failedAppeals: consensus.failedAppeals + 1,
  };
}

function enlarged(consensus: Consensus): number {
  return Math.min(consensus.committeeSize + appealCommitteeSize(consensus), consensus.candidates.length);
}

function retry(consensus: Consensus, committeeSize: number, offset: number): Consensus {
  return {
    ...consensus,
    status: "PENDING",
    result: "IDLE",
    execution: "NOT_VOTED",
    committeeSize,
    offset,
    rotationsUsed: 0,
    windowStart: null,
    appealedAt: null,
  };
}
