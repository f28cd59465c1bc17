import type { Hex } from "@assay/protocol";
import type { Event } from "./event.ts";
import {
  MAX_FAILURES,
  TERMINAL_STATES,
  type StateName,
  type SubmissionState,
  type VerdictRef,
} from "./state.ts";

/** What the service must do next. Effects follow from the state alone, so a restart finds the same ones again. */
export type Effect =
  | "anchor"
  | "collectDocuments"
  | "relay"
  | "findJudgeTransaction"
  | "readJudge"
  | "countRounds"
  | "attest"
  | "collectAttestations"
  | "prepareSettlement"
  | "broadcastSettlement"
  | "watchSettlement"
  | "confirmSettlement"
  | "page";

/** The work that a state owes; none when it is terminal. */
const EFFECTS: Readonly<Record<StateName, readonly Effect[]>> = {
  OBSERVED: ["anchor"],
  ANCHORED: ["collectDocuments"],
  RELAY_READY: ["relay"],
  RELAY_SENT: ["findJudgeTransaction"],
  JUDGING: ["readJudge"],
  PROVISIONAL: ["readJudge"],
  INCONCLUSIVE: ["countRounds"],
  VERDICT_FINAL: ["attest"],
  ATTESTED: ["collectAttestations"],
  QUORUM: ["prepareSettlement"],
  SETTLE_READY: ["broadcastSettlement"],
  SETTLE_SENT: ["watchSettlement"],
  SETTLE_INCLUDED: ["watchSettlement"],
  SETTLED_SEEN: ["confirmSettlement"],
  SETTLED: [],
  ORPHANED: [],
  EXPIRED: [],
  QUARANTINED: ["page"],
  CONFLICT: ["page"],
};

/** The effects that a state owes, as after a restart. */
export function effectsOf(state: SubmissionState): readonly Effect[] {
  return EFFECTS[state.name];
}

/**
 * Chain time, in Unix seconds, at which a state must be looked at again whatever else happens. Null when terminal, and in
 * conflict, which only a person can end. While documents are missing that is the end of their window, otherwise the last second for a verdict.
 */
export function deadlineOf(state: SubmissionState): number | null {
  if (TERMINAL_STATES.includes(state.name) || state.name === "CONFLICT") return null;
  return state.name === "ANCHORED" ? Math.min(state.documentsBy, state.adjudicateBy) : state.adjudicateBy;
}

export interface Transition {
  readonly state: SubmissionState;
  readonly effects: readonly Effect[];
}

/** The state of a submission whose log has just been seen for the first time. */
export function observe(seen: {
  readonly agreementId: Hex;
  readonly submissionHash: Hex;
  readonly block: SubmissionState["block"];
  readonly submittedAt: number;
  readonly documentsBy: number;
  readonly adjudicateBy: number;
  /** What this operator signed for the submission in an earlier life of its database; it stands. */
  readonly signed?: { readonly verdict: VerdictRef; readonly digest: Hex } | undefined;
}): Transition {
  const { signed, ...rest } = seen;
  return enter({
    ...rest,
    name: "OBSERVED",
    turnFrom: seen.submittedAt,
    rounds: 0,
    inconclusive: [],
    relayFailures: 0,
    carryTx: null,
    relayTx: null,
    judgeTx: null,
    verdict: signed?.verdict ?? null,
    digest: signed?.digest ?? null,
    settleTx: null,
    settleFailures: 0,
    includedIn: null,
    seen: null,
    resume: null,
    reason: null,
  });
}

/**
 * The law of the service. Pure: no clock, no I/O. An event that the state does not expect changes nothing, so that
 * duplicates and late arrivals are harmless; the same object comes back and no effect is due.
 */
export function transition(state: SubmissionState, event: Event): Transition {
  const next = step(state, event);
  return next === state ? { state, effects: [] } : enter(next);
}

function enter(state: SubmissionState): Transition {
  return { state, effects: EFFECTS[state.name] };
}

/** States in which a settlement by anyone is news. */
const BEFORE_SETTLEMENT: readonly StateName[] = [
  "OBSERVED",
  "ANCHORED",
  "RELAY_READY",
  "RELAY_SENT",
  "JUDGING",
  "PROVISIONAL",
  "INCONCLUSIVE",
  "VERDICT_FINAL",
  "ATTESTED",
  "QUORUM",
  "SETTLE_READY",
  "SETTLE_SENT",
  "SETTLE_INCLUDED",
  "QUARANTINED",
];

/** States that may be parked: not while a settlement may be under way, whose end has to be watched. */
const QUARANTINABLE: readonly StateName[] = [
  "OBSERVED",
  "ANCHORED",
  "RELAY_READY",
  "RELAY_SENT",
  "JUDGING",
  "PROVISIONAL",
  "INCONCLUSIVE",
  "VERDICT_FINAL",
  "ATTESTED",
  "QUORUM",
];

function step(state: SubmissionState, event: Event): SubmissionState {
  switch (event.type) {
    case "SubmissionSeen":
      return state.name === "ORPHANED"
        ? {
            ...state,
            name: "OBSERVED",
            block: event.block,
            submittedAt: event.submittedAt,
            documentsBy: event.documentsBy,
            reason: null,
          }
        : state;
    case "SubmissionOrphaned":
      return state.name === "OBSERVED" && state.block.hash === event.blockHash
        ? { ...state, name: "ORPHANED", reason: "the block with the submission left the chain" }
        : state;
    case "SettlementSeen":
      return BEFORE_SETTLEMENT.includes(state.name)
        ? { ...state, name: "SETTLED_SEEN", seen: event.settlement, resume: state.name }
        : state;
    case "SettlementOrphaned":
      return state.name === "SETTLED_SEEN" &&
        state.seen?.block.hash === event.blockHash &&
        state.resume !== null
        ? unseen(state, state.resume)
        : state;
    case "SettlementFinal":
      return state.name === "SETTLED_SEEN" ? settled(state) : state;
    case "Closed":
      return state.name === "CONFLICT" || TERMINAL_STATES.includes(state.name)
        ? state
        : { ...state, name: "EXPIRED", seen: null, resume: null, reason: event.reason };
    case "WindowClosed":
      // A settlement that is already in a block can't be late; its block only has to become final.
      return BEFORE_SETTLEMENT.includes(state.name) && state.name !== "SETTLE_INCLUDED"
        ? {
            ...state,
            name: "EXPIRED",
            reason: "no verdict was settled until the end of the adjudication window",
          }
        : state;
    case "Disagreement":
      return ["VERDICT_FINAL", "ATTESTED", "QUORUM", "SETTLE_READY"].includes(state.name)
        ? { ...state, name: "CONFLICT", reason: event.reason }
        : state;
    case "Quarantined":
      return QUARANTINABLE.includes(state.name) ? quarantined(state, event.reason) : state;
    case "Requeued":
      return state.name === "QUARANTINED" || state.name === "CONFLICT" ? requeued(state) : state;
    default:
      return advance(state, event);
  }
}

/** The steps of the undisturbed life, each of which only one or two states expect. */
function advance(state: SubmissionState, event: Event): SubmissionState {
  switch (state.name) {
    case "OBSERVED":
      return event.type === "Anchored" ? fromTheLastCertainThing(state) : state;
    case "ANCHORED":
      if (event.type === "DocumentsReady")
        return { ...state, name: "RELAY_READY", rounds: event.rounds, turnFrom: event.at };
      if (event.type === "Withheld") return { ...state, name: "VERDICT_FINAL", verdict: event.verdict };
      return state;
    case "RELAY_READY":
      if (state.carryTx !== null) return carrying(state, event);
      if (event.type === "CarrySigned" && state.relayTx === null)
        return { ...state, carryTx: event.transactionHash };
      if (event.type === "Withheld" && state.relayTx === null)
        return { ...state, name: "VERDICT_FINAL", verdict: event.verdict };
      if (event.type === "RelaySigned" && state.relayTx === null)
        return { ...state, relayTx: event.transactionHash };
      if (event.type === "RelayBroadcast" && state.relayTx !== null) return { ...state, name: "RELAY_SENT" };
      if (event.type === "RelayFailed") return relayFailed(state, event.reason);
      if (event.type === "JudgeTransactionFound") return judging(state, event.judgeTx);
      return state;
    case "RELAY_SENT":
      if (event.type === "JudgeTransactionFound") return judging(state, event.judgeTx);
      if (event.type === "RelayFailed") return relayFailed(state, event.reason);
      return state;
    case "JUDGING":
    case "PROVISIONAL":
      return judged(state, event);
    case "INCONCLUSIVE":
      if (event.type === "JudgeTransactionFound") return judging(state, event.judgeTx);
      if (event.type === "RoundsLeft" && state.inconclusive.length < state.rounds)
        return { ...state, name: "ANCHORED", judgeTx: null };
      if (event.type === "RoundsUsed" && state.inconclusive.length >= state.rounds)
        return { ...state, name: "VERDICT_FINAL", verdict: event.verdict };
      return state;
    case "VERDICT_FINAL":
      if (event.type === "Attested") return { ...state, name: "ATTESTED", digest: event.digest };
      return state;
    case "ATTESTED":
      return event.type === "QuorumReached" ? { ...state, name: "QUORUM", turnFrom: event.at } : state;
    case "QUORUM":
      if (event.type === "SettlementSigned")
        return { ...state, name: "SETTLE_READY", settleTx: event.transactionHash };
      if (event.type === "SettlementFailed") return settlementFailed(state, event.reason);
      return state;
    case "SETTLE_READY":
      if (event.type === "SettlementBroadcast") return { ...state, name: "SETTLE_SENT" };
      if (event.type === "SettlementFailed") return settlementFailed(state, event.reason);
      return state;
    case "SETTLE_SENT":
      if (event.type === "SettlementIncluded")
        return { ...state, name: "SETTLE_INCLUDED", includedIn: event.block };
      if (event.type === "SettlementFailed") return settlementFailed(state, event.reason);
      return state;
    case "SETTLE_INCLUDED":
      if (event.type === "SettlementReorged") return { ...state, name: "SETTLE_SENT", includedIn: null };
      if (event.type === "SettlementFailed") return settlementFailed(state, event.reason);
      return state;
    default:
      return state;
  }
}

/** While a send carries the output, nothing else is sent: it ends first, one way or the other. */
function carrying(state: SubmissionState, event: Event): SubmissionState {
  if (event.type === "CarryEnded") return { ...state, carryTx: null };
  return event.type === "RelayFailed" ? relayFailed(state, event.reason) : state;
}

function judging(state: SubmissionState, judgeTx: Hex): SubmissionState {
  return { ...state, name: "JUDGING", judgeTx, relayTx: null, relayFailures: 0 };
}

function judged(state: SubmissionState, event: Event): SubmissionState {
  switch (event.type) {
    case "JudgeAccepted":
      return state.name === "JUDGING" ? { ...state, name: "PROVISIONAL" } : state;
    case "JudgePending":
      return state.name === "PROVISIONAL" ? { ...state, name: "JUDGING" } : state;
    case "JudgeVerdict":
      return { ...state, name: "VERDICT_FINAL", verdict: event.verdict };
    case "JudgeInconclusive":
      return state.inconclusive.includes(event.judgeTx)
        ? { ...state, name: "INCONCLUSIVE" }
        : { ...state, name: "INCONCLUSIVE", inconclusive: [...state.inconclusive, event.judgeTx] };
    case "JudgeTransactionFound":
      return event.judgeTx === state.judgeTx ? state : judging(state, event.judgeTx);
    case "JudgeVoid":
      return relayFailed({ ...state, judgeTx: null }, event.reason);
    default:
      return state;
  }
}

function relayFailed(state: SubmissionState, reason: string): SubmissionState {
  const failed = { ...state, carryTx: null, relayTx: null, relayFailures: state.relayFailures + 1 };
  return failed.relayFailures >= MAX_FAILURES
    ? quarantined(failed, reason)
    : { ...failed, name: "RELAY_READY" };
}

function settlementFailed(state: SubmissionState, reason: string): SubmissionState {
  const failed = { ...state, settleTx: null, includedIn: null, settleFailures: state.settleFailures + 1 };
  return failed.settleFailures >= MAX_FAILURES ? quarantined(failed, reason) : { ...failed, name: "QUORUM" };
}

function quarantined(state: SubmissionState, reason: string): SubmissionState {
  return { ...state, name: "QUARANTINED", reason };
}

function unseen(state: SubmissionState, resume: StateName): SubmissionState {
  return { ...state, name: resume, seen: null, resume: null };
}

function settled(state: SubmissionState): SubmissionState {
  if (state.verdict === null)
    return { ...state, name: "SETTLED", reason: "settled by others before this operator had a verdict" };
  if (state.verdict.verdictHash === state.seen?.verdictHash)
    return { ...state, name: "SETTLED", reason: null };
  return {
    ...state,
    name: "CONFLICT",
    reason: `the escrow was settled with verdict ${state.seen?.verdictHash ?? "unknown"}, this operator holds ${state.verdict.verdictHash}`,
  };
}

/** What is signed is never decided again: it only has to be collected and delivered. */
function fromTheLastCertainThing(state: SubmissionState): SubmissionState {
  return { ...state, name: state.verdict === null ? "ANCHORED" : "VERDICT_FINAL" };
}

/** A parked submission starts again from the last thing that is certain. */
function requeued(state: SubmissionState): SubmissionState {
  return {
    ...fromTheLastCertainThing(state),
    relayFailures: 0,
    settleFailures: 0,
    carryTx: null,
    relayTx: null,
    settleTx: null,
    includedIn: null,
    seen: null,
    resume: null,
    reason: null,
  };
}
