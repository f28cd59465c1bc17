import {
  buildVerdictRecord,
  type AdjudicationRecord,
  type Finding,
  type Hex,
  type ResponsibilityRecord,
} from "@assay/protocol";
import { verdictRow } from "../attest/verdict.ts";
import type { SubmissionState } from "../core/index.ts";
import type { Services } from "../run/services.ts";
import { NotYetError, type Found, type Handler, type Step, type Work } from "../run/step.ts";
import type { Commit } from "../store/index.ts";
import { assess } from "./assess.ts";
import type { Subject } from "./conditions.ts";
import { findJudgeTransaction, readFacts, recordsAbout, usedRounds } from "./find.ts";
import { requiredMatter } from "./subject.ts";

/** Brings a judge transaction on that only waits for somebody to finalize it. */
export interface Nudge {
  /** What to do now about a transaction that is ready to be finalized. */
  waiting(work: Work, subject: Pick<Subject, "agreement">, judgeTx: Hex): Promise<Step>;
  /** What to write about an earlier nudge when the transaction is followed no longer. */
  over(work: Work): Promise<Pick<Commit, "outboxStatus">>;
}

/** Polls the judge transaction, and decides what it amounts to once it is final. */
export function createJudgeHandler(services: Services, nudge: Nudge): Handler {
  const { judge } = services;

  async function read(work: Work): Promise<Step> {
    const { state } = work;
    if (state.judgeTx === null) throw new NotYetError("no judge transaction is known");
    const transaction = await judge.transaction(state.judgeTx);
    if (transaction === null)
      throw new NotYetError(
        `${judge.network.name} does not know transaction ${state.judgeTx}: was it reset?`,
      );
    const { subject } = await requiredMatter(services, state);
    // Reads of the contract only once the transaction is final: they would be of no use before.
    const facts =
      transaction.status === "FINALIZED"
        ? await readFacts(services, state, subject, transaction)
        : { subject, transaction, records: [null, null] as const, codeHash: null, escrow: null };
    const assessment = assess(facts);
    switch (assessment.kind) {
      case "pending":
        if (transaction.status === "READY_TO_FINALIZE") return nudge.waiting(work, subject, state.judgeTx);
        return state.name === "PROVISIONAL" ? { events: [{ type: "JudgePending" }] } : { wait: "judgePoll" };
      case "accepted":
        return state.name === "JUDGING" ? { events: [{ type: "JudgeAccepted" }] } : { wait: "judgePoll" };
      case "verdict": {
        const canonical = await findJudgeTransaction(services, state, subject);
        if (canonical !== null && canonical !== state.judgeTx)
          return { events: [{ type: "JudgeTransactionFound", judgeTx: canonical }] };
        return concluded(services, state, subject, findingOf(subject, assessment.record, state.judgeTx));
      }
      case "inconclusive":
        return { events: [{ type: "JudgeInconclusive", judgeTx: state.judgeTx }] };
      case "superseded": {
        const other = await findJudgeTransaction(services, state, subject);
        if (other !== null && other !== state.judgeTx)
          return { events: [{ type: "JudgeTransactionFound", judgeTx: other }] };
        throw new NotYetError("a record exists whose transaction is not known");
      }
      case "void":
        return { events: [{ type: "JudgeVoid", reason: assessment.reason }] };
      case "refused":
        return { events: [{ type: "Quarantined", reason: assessment.reason }] };
      case "hold":
        throw new NotYetError(assessment.reason);
    }
  }

  return async (work) => {
    const step = await read(work);
    if (!("events" in step) || step.events.every(({ type }) => STAYS.includes(type))) return step;
    return { ...step, change: { ...step.change, ...(await nudge.over(work)) } };
  };
}

/** Events after which the same transaction is still followed. */
const STAYS: readonly string[] = ["JudgePending", "JudgeAccepted"];

/** After a final transaction without a record: another round, or UNDETERMINED when all of them were used. */
export function createRoundsHandler(services: Services): Handler {
  return async ({ state }) => {
    if (state.inconclusive.length < state.rounds) return { events: [{ type: "RoundsLeft" }] };
    const { subject } = await requiredMatter(services, state);
    const { relayers } = subject.agreement.adjudication;
    const records = await recordsAbout(services, subject);
    if (records.some((entry) => relayers.includes(entry.sender))) {
      const found = await findJudgeTransaction(services, state, subject);
      if (found !== null) return { events: [{ type: "JudgeTransactionFound", judgeTx: found }] };
    }
    return concluded(services, state, subject, {
      kind: "undetermined",
      transactions: await usedRounds(services, state, subject),
    });
  };
}

function findingOf(
  { joint }: Subject,
  record: AdjudicationRecord | ResponsibilityRecord,
  transaction: Hex,
): Finding {
  if (!("verdict" in record)) return { kind: "adjudicated", adjudication: record, transaction };
  if (joint === undefined) throw new NotYetError("a workflow's record decides no agreement of one seller");
  const { outputs, partnerSubmissionHash } = joint;
  return { kind: "attributed", record, outputs, partnerSubmissionHash, transaction };
}

function concluded(services: Services, state: SubmissionState, subject: Subject, finding: Finding): Found {
  const record = buildVerdictRecord({
    agreement: subject.agreement,
    agreementId: state.agreementId,
    submissionHash: state.submissionHash,
    chainId: subject.chainId,
    escrow: subject.escrow,
    finding,
  });
  const { row, verdict } = verdictRow(services, record);
  const type = finding.kind === "undetermined" ? "RoundsUsed" : "JudgeVerdict";
  return { events: [{ type, verdict }], change: { verdicts: [row] } };
}
