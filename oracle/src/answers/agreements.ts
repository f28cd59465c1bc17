import { parseVerdictRecord, type Hex } from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import { EVALUATION_EVENTS } from "../ingest/index.ts";
import type { EscrowStatus } from "../rpc/index.ts";
import {
  keyOf,
  type AgreementRow,
  type DatedLog,
  type LogRow,
  type Store,
  type SubmissionRow,
  type TransitionRow,
} from "../store/index.ts";
import {
  STAGES,
  type AgreementSummary,
  type AgreementView,
  type Stage,
  type SubmissionView,
} from "./schemas/agreements.ts";
import { termsView } from "./schemas/terms.ts";
import { caip10Of, caip2Of, type Source } from "./schemas/values.ts";
import { fromMilliseconds, fromSeconds } from "./time.ts";

/** The states whose first entry is a stage. `included` and `settled` are the chain's own times instead. */
const STAGE_STATES: Readonly<Partial<Record<Stage, readonly SubmissionState["name"][]>>> = {
  final: ["ANCHORED"],
  // An operator that follows a fellow's transaction never sends one itself.
  relayed: ["RELAY_SENT", "JUDGING"],
  provisional: ["PROVISIONAL"],
  finalized: ["VERDICT_FINAL"],
  attested: ["ATTESTED"],
};

const SETTLING_EVENTS: readonly string[] = ["Released", "Refunded", "Concluded"];

/** What one line of the listing says. */
export async function agreementSummary(
  store: Store,
  agreement: AgreementRow,
  chainId: number,
): Promise<AgreementSummary> {
  const [logs, submissions] = await Promise.all([
    store.logsOf(agreement.agreementId),
    store.submissionsOf(agreement.agreementId),
  ]);
  return summaryOf(agreement, chainId, logs, submissions);
}

function summaryOf(
  { agreementId, terms, job, ignoredReason }: AgreementRow,
  chainId: number,
  logs: readonly DatedLog[],
  submissions: readonly SubmissionRow[],
): AgreementSummary {
  const { buyer, seller, reward } = terms;
  const funded = logs.find(({ name }) => name === "Funded" || name === "JobFunded");
  const newest = submissions.at(-1)?.state;
  return {
    agreementId,
    job: job === null ? null : { commerce: job.commerce, jobId: job.jobId.toString() },
    chainId,
    caip2: caip2Of(chainId),
    buyer,
    seller,
    accounts: { buyer: caip10Of(chainId, buyer), seller: caip10Of(chainId, seller) },
    reward: reward.toString(),
    fundedAt: funded === undefined ? null : fromSeconds(funded.timestamp),
    escrowStatus: escrowStatus(logs, seller),
    state: newest?.name ?? null,
    outcome: newest?.verdict?.outcome ?? null,
    ignoredReason,
  };
}

/** Everything that this operator knows about an agreement. */
export async function agreementView(
  store: Store,
  agreement: AgreementRow,
  source: Source,
  chainId: number,
): Promise<AgreementView> {
  const { agreementId } = agreement;
  const [logs, submissions] = await Promise.all([
    store.logsOf(agreementId),
    store.submissionsOf(agreementId),
  ]);
  const finalBlock = source.finalBlock?.number ?? -1;
  return {
    source,
    ...summaryOf(agreement, chainId, logs, submissions),
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

async function submissionView(
  store: Store,
  row: SubmissionRow,
  logs: readonly DatedLog[],
): Promise<SubmissionView> {
  const { state } = row;
  const key = keyOf(state);
  const [transitions, outbox, attestations] = await Promise.all([
    store.transitions(key),
    store.outboxOf(key),
    store.attestations(key),
  ]);
  const verdictHash = verdictHashOf(state);
  const stored = verdictHash === null ? null : await store.verdict(verdictHash);
  const record = stored === null ? null : parseVerdictRecord(stored.record);
  const outcome = state.verdict?.outcome ?? record?.outcome;
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
        ...(record?.transactions ?? []),
      ]),
      current: state.judgeTx,
      inconclusive: [...state.inconclusive],
      rounds: state.rounds,
    },
    requirements: record?.requirements ?? [],
    verdict: verdictHash === null || outcome === undefined ? null : { outcome, verdictHash, record },
    digest: state.digest,
    attestations: attestations
      .filter((attestation) => attestation.digest === state.digest)
      .map(({ operator, signature }) => ({ operator, signature })),
    settlement: settlementView(state),
    transitions: transitions.map((entry) => ({ ...entry, at: fromMilliseconds(entry.at) })),
  };
}

/** This operator's own verdict, or the one by which others settled before it had any. */
function verdictHashOf({ verdict, name, seen }: SubmissionState): Hex | null {
  return verdict?.verdictHash ?? (name === "SETTLED" ? (seen?.verdictHash ?? null) : null);
}

function settlementView(state: SubmissionState): SubmissionView["settlement"] {
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

/** When each stage was reached, in order; null for what was not, or not yet. */
export function stagesOf(
  state: SubmissionState,
  transitions: readonly TransitionRow[],
  logs: readonly DatedLog[],
): SubmissionView["stages"] {
  const settling = settlingLog(logs, state.submissionHash);
  const timeOf = (stage: Stage): string | null => {
    if (stage === "included") return fromSeconds(state.submittedAt);
    if (stage === "settled") return settling === undefined ? null : fromSeconds(settling.timestamp);
    const entered = transitions.find(({ to }) => STAGE_STATES[stage]?.includes(to));
    return entered === undefined ? null : fromMilliseconds(entered.at);
  };
  return STAGES.map((stage) => ({ stage, at: timeOf(stage) }));
}

/** The log by which an adjudicator ended this submission. A job has one, which its evaluation does not name. */
export function settlingLog(logs: readonly DatedLog[], submissionHash: Hex): DatedLog | undefined {
  return logs.find(
    (log) =>
      (SETTLING_EVENTS.includes(log.name) && log.data["submissionHash"] === submissionHash) ||
      (EVALUATION_EVENTS.includes(log.name) && logs.some((one) => submittedHash(one) === submissionHash)),
  );
}

/** The hash that a log announces as submitted; null for other logs. */
export function submittedHash({ name, data }: LogRow): string | null {
  if (name === "Submitted") return data["submissionHash"] ?? null;
  return name === "JobSubmitted" ? (data["deliverable"] ?? null) : null;
}

/** Status by the newest event of the agreement, final or not, as the contract's enum calls it. */
export function escrowStatus(logs: readonly DatedLog[], seller: string): EscrowStatus {
  const newest = logs.at(-1);
  switch (newest?.name) {
    case "Funded":
    case "Accepted":
    case "Submitted":
    case "Released":
    case "Refunded":
      return newest.name;
    case "Cancelled":
    case "JobRejected":
    case "JobExpired":
      return "Refunded";
    case "JobFunded":
      return "Funded";
    case "JobSubmitted":
      return "Submitted";
    case "JobCompleted":
      return "Released";
    case "Concluded":
    case "Settled":
      return "Split";
    case "Conceded":
      return newest.data["conceder"]?.toLowerCase() === seller.toLowerCase() ? "Refunded" : "Released";
    case "Expired":
      return logs.some(({ name }) => name === "Submitted") ? "Split" : "Refunded";
    default:
      return "None";
  }
}

function distinct(ids: readonly Hex[]): Hex[] {
  return [...new Set(ids)];
}
