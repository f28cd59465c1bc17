import { parseVerdictRecord, type Hex, type Terms } from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import type { AgreementRow, LogRow, Store, SubmissionRow, TransitionRow } from "../store/index.ts";

/** Milestones of a submission, in order, with when they were reached. */
export const STAGES = [
  "included",
  "final",
  "relayed",
  "provisional",
  "finalized",
  "attested",
  "settled",
] as const;
export type Stage = (typeof STAGES)[number];

/** The state whose entry is a stage. `included` and `settled` are the chain's own times instead. */
const STAGE_STATES: Readonly<Partial<Record<Stage, readonly SubmissionState["name"][]>>> = {
  final: ["ANCHORED"],
  relayed: ["RELAY_SENT"],
  provisional: ["PROVISIONAL"],
  finalized: ["VERDICT_FINAL"],
  attested: ["ATTESTED"],
};

const SETTLING_EVENTS = ["Released", "Refunded", "Concluded"];

type DatedLog = LogRow & { readonly timestamp: number; readonly seenAt: number };

/** What one line of the listing says. */
export async function agreementSummary(store: Store, agreement: AgreementRow) {
  const [logs, submissions] = await Promise.all([
    store.logsOf(agreement.agreementId),
    store.submissionsOf(agreement.agreementId),
  ]);
  return {
    agreementId: agreement.agreementId,
    escrowStatus: escrowStatus(logs),
    state: submissions.at(-1)?.state.name ?? null,
    outcome: submissions.at(-1)?.state.verdict?.outcome ?? null,
    ignoredReason: agreement.ignoredReason,
  };
}

/** Everything that this operator knows about an agreement. */
export async function agreementView(store: Store, agreement: AgreementRow) {
  const { agreementId } = agreement;
  const [logs, submissions, cursor] = await Promise.all([
    store.logsOf(agreementId),
    store.submissionsOf(agreementId),
    store.cursor(),
  ]);
  const finalBlock = cursor?.final.number ?? -1;
  return {
    ...(await agreementSummary(store, agreement)),
    terms: termsView(agreement.terms),
    events: logs.map((log) => ({
      name: log.name,
      blockNumber: log.blockNumber,
      blockHash: log.blockHash,
      transactionHash: log.transactionHash,
      at: fromSeconds(log.timestamp),
      final: log.blockNumber <= finalBlock,
    })),
    submissions: await Promise.all(submissions.map((row) => submissionView(store, row, logs))),
  };
}

async function submissionView(store: Store, row: SubmissionRow, logs: readonly DatedLog[]) {
  const { state } = row;
  const key = { agreementId: state.agreementId, submissionHash: state.submissionHash };
  const [transitions, outbox, attestations] = await Promise.all([
    store.transitions(key),
    store.outboxOf(key),
    store.attestations(key),
  ]);
  const stored = state.verdict === null ? null : await store.verdict(state.verdict.verdictHash);
  const record = stored === null ? null : parseVerdictRecord(stored.record);
  const own = outbox.flatMap((entry) => (entry.judgeTx === null ? [] : [entry.judgeTx]));
  return {
    submissionHash: state.submissionHash,
    state: state.name,
    reason: state.reason,
    lastError: row.lastError,
    updatedAt: fromMilliseconds(row.updatedAt),
    deadlines: { documentsBy: fromSeconds(state.documentsBy), adjudicateBy: fromSeconds(state.adjudicateBy) },
    stages: stagesOf(state, transitions, logs),
    judge: {
      transactions: distinct([
        ...own,
        ...state.inconclusive,
        ...(state.judgeTx === null ? [] : [state.judgeTx]),
      ]),
      current: state.judgeTx,
      inconclusive: state.inconclusive,
      rounds: state.rounds,
    },
    requirements: record?.requirements ?? [],
    verdict:
      state.verdict === null
        ? null
        : { outcome: state.verdict.outcome, verdictHash: state.verdict.verdictHash, record },
    digest: state.digest,
    attestations: attestations
      .filter((attestation) => attestation.digest === state.digest)
      .map(({ operator, signature }) => ({ operator, signature })),
    settlement: settlementView(state),
    transitions: transitions.map((entry) => ({ ...entry, at: fromMilliseconds(entry.at) })),
  };
}

function settlementView(state: SubmissionState) {
  if (state.seen !== null)
    return {
      transactionHash: state.seen.transactionHash,
      verdictHash: state.seen.verdictHash,
      blockNumber: state.seen.block.number,
      final: state.name === "SETTLED",
    };
  return state.settleTx === null
    ? null
    : {
        transactionHash: state.settleTx,
        verdictHash: state.verdict?.verdictHash ?? null,
        blockNumber: state.includedIn?.number ?? null,
        final: false,
      };
}

function stagesOf(state: SubmissionState, transitions: readonly TransitionRow[], logs: readonly DatedLog[]) {
  const settling = logs.find(
    (log) => SETTLING_EVENTS.includes(log.name) && log.data["submissionHash"] === state.submissionHash,
  );
  const timeOf = (stage: Stage): string | null => {
    if (stage === "included") return fromSeconds(state.submittedAt);
    if (stage === "settled") return settling === undefined ? null : fromSeconds(settling.timestamp);
    const entered = transitions.find((entry) => STAGE_STATES[stage]?.includes(entry.to));
    return entered === undefined ? null : fromMilliseconds(entered.at);
  };
  return STAGES.map((stage) => ({ stage, at: timeOf(stage) }));
}

/** Status by the newest event of the agreement, final or not. */
function escrowStatus(logs: readonly DatedLog[]): string {
  const names: Readonly<Record<string, string>> = {
    Funded: "Funded",
    Accepted: "Accepted",
    Submitted: "Submitted",
    Released: "Released",
    Refunded: "Refunded",
    Cancelled: "Refunded",
    Concluded: "Split",
    Settled: "Split",
    Conceded: "Closed",
    Expired: "Closed",
  };
  return names[logs.at(-1)?.name ?? ""] ?? "None";
}

function termsView(terms: Terms) {
  return { ...terms, reward: terms.reward.toString(), salt: terms.salt.toString() };
}

function distinct(ids: readonly Hex[]): readonly Hex[] {
  return [...new Set(ids)];
}

function fromSeconds(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

function fromMilliseconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
