import type { AgreementRow, DatedLog, Store, SubmissionRow, TransitionRow } from "../store/index.ts";
import { escrowStatus, settlingLog, stagesOf, submittedHash } from "./agreements.ts";
import type { MOMENTS, Stage, Timeline } from "./schemas/agreements.ts";
import type { Source } from "./schemas/values.ts";
import { fromSeconds } from "./time.ts";

type Entry = Timeline["entries"][number];
type Moment = (typeof MOMENTS)[number];

type Moments = Readonly<Record<string, { readonly moment: Moment; readonly description: string }>>;

/** Events that are moments by themselves. */
const EVENTS: Moments = {
  Funded: { moment: "funded", description: "The buyer's reward is in escrow." },
  Accepted: { moment: "accepted", description: "The seller consented." },
  Cancelled: {
    moment: "cancelled",
    description: "The buyer took the reward back before the seller consented.",
  },
  Conceded: { moment: "conceded", description: "One side gave the whole reward to the other." },
  Settled: { moment: "settledByParties", description: "Both sides signed a split." },
  JobFunded: { moment: "funded", description: "The client's budget is in the ERC-8183 contract." },
  JobExpired: { moment: "expired", description: "The job expired, and its client was refunded." },
  Expired: { moment: "expired", description: "A deadline passed, and the agreed default applied." },
};

/** Those that come before a submission. */
const BEGINNINGS: readonly string[] = ["Funded", "Accepted", "JobFunded"];

/** Events of agreements that this operator does not judge: an execution proof gate decides, or another quorum. */
const FOREIGN_EVENTS: Moments = {
  Submitted: {
    moment: "included",
    description: "The submission is in a block. This operator does not judge it.",
  },
  Released: { moment: "settled", description: "The adjudicator released the reward to the seller." },
  Refunded: { moment: "settled", description: "The adjudicator gave the reward back to the buyer." },
  Concluded: {
    moment: "settled",
    description: "The adjudicator found nothing decided; the agreed split applied.",
  },
};

const STAGE_WORDS: Readonly<Record<Stage, { readonly chain: Entry["chain"]; readonly description: string }>> =
  {
    included: { chain: "evm", description: "The submission is in a block." },
    final: { chain: "evm", description: "That block is final; judging may begin." },
    relayed: { chain: "genlayer", description: "This operator sent the case to the judge." },
    provisional: {
      chain: "genlayer",
      description: "The judge's validators accepted a result. It may be appealed; no money follows from it.",
    },
    finalized: {
      chain: "genlayer",
      description: "The result is final, and every condition of a verdict holds.",
    },
    attested: { chain: "operator", description: "This operator signed the certificate." },
    settled: { chain: "evm", description: "A certificate of enough operators moved the reward." },
  };

/** What happened to an agreement so far, and what of its submissions' stages is still to come. */
export async function timelineOf(store: Store, agreement: AgreementRow, source: Source): Promise<Timeline> {
  const { agreementId, terms } = agreement;
  const [logs, submissions] = await Promise.all([
    store.logsOf(agreementId),
    store.submissionsOf(agreementId),
  ]);
  const staged = await Promise.all(
    submissions.map(async (row) => {
      const { submissionHash } = row.state;
      const transitions = await store.transitions({ agreementId, submissionHash });
      return stageEntries(row, transitions, logs, source);
    }),
  );
  const before = logs.filter(({ name }) => BEGINNINGS.includes(name));
  const after = logs.filter(
    ({ name }) => EVENTS[name] !== undefined && !before.some((log) => log.name === name),
  );
  // What this operator doesn't judge it doesn't follow stage by stage; the escrow's own events tell it nevertheless.
  const foreign = agreement.ignoredReason === null ? [] : logs.flatMap((log) => foreignEntry(log, source));
  const events = (of: readonly DatedLog[]): Entry[] => of.flatMap((log) => eventEntry(log, source));
  return {
    source,
    agreementId,
    escrowStatus: escrowStatus(logs, terms.seller),
    entries: [...events(before), ...staged.flat(), ...foreign, ...events(after)],
  };
}

function eventEntry(log: DatedLog, source: Source): Entry[] {
  const event = EVENTS[log.name];
  return event === undefined ? [] : [entryOf(log, event, null, source)];
}

function foreignEntry(log: DatedLog, source: Source): Entry[] {
  const event = FOREIGN_EVENTS[log.name];
  return event === undefined ? [] : [entryOf(log, event, log.data["submissionHash"] ?? null, source)];
}

function entryOf(
  log: DatedLog,
  event: Moments[string],
  submissionHash: string | null,
  source: Source,
): Entry {
  return {
    ...event,
    reached: true,
    at: fromSeconds(log.timestamp),
    submissionHash,
    chain: "evm",
    block: { number: log.blockNumber, hash: log.blockHash },
    transactionHash: log.transactionHash,
    finality: finalityOf(log.blockNumber, source),
  };
}

function stageEntries(
  { state }: SubmissionRow,
  transitions: readonly TransitionRow[],
  logs: readonly DatedLog[],
  source: Source,
): Entry[] {
  const submitted = logs.find((log) => submittedHash(log) === state.submissionHash);
  const settling = settlingLog(logs, state.submissionHash);
  const logAt: Readonly<Partial<Record<Stage, DatedLog | undefined>>> = {
    included: submitted,
    final: submitted,
    settled: settling,
  };
  return stagesOf(state, transitions, logs).map(({ stage, at }) => {
    const log = at === null ? undefined : logAt[stage];
    return {
      moment: stage,
      reached: at !== null,
      at,
      description: STAGE_WORDS[stage].description,
      submissionHash: state.submissionHash,
      chain: STAGE_WORDS[stage].chain,
      block: log === undefined ? null : { number: log.blockNumber, hash: log.blockHash },
      transactionHash: log?.transactionHash ?? judgeTransaction(stage, state.judgeTx, at),
      finality: at === null ? null : stageFinality(stage, log, source),
    };
  });
}

function judgeTransaction(stage: Stage, judgeTx: string | null, at: string | null): string | null {
  return at !== null && STAGE_WORDS[stage].chain === "genlayer" ? judgeTx : null;
}

function stageFinality(stage: Stage, log: DatedLog | undefined, source: Source): Entry["finality"] {
  if (stage === "provisional") return "provisional";
  if (stage === "relayed") return "included";
  return log === undefined ? "final" : finalityOf(log.blockNumber, source);
}

function finalityOf(blockNumber: number, source: Source): "included" | "final" {
  return blockNumber <= (source.finalBlock?.number ?? -1) ? "final" : "included";
}
