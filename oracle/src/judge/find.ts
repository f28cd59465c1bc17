import type { Address, Hex } from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import type { Services } from "../run/services.ts";
import { NotYetError } from "../run/step.ts";
import { keyOf } from "../store/index.ts";
import { venueOf } from "../venue/index.ts";
import { assess, isAgreedError } from "./assess.ts";
import { recordKeyOf, roundConditions, type Subject, type VerdictFacts } from "./conditions.ts";
import type { RecordEntry } from "./judge.ts";
import type { StoredRecord } from "./stored-record.ts";
import type { JudgeTransaction } from "./transaction.ts";

/** Everything that bears on one judge transaction, read now. */
export async function readFacts(
  services: Services,
  state: SubmissionState,
  subject: Subject,
  transaction: JudgeTransaction,
): Promise<VerdictFacts> {
  const { judge } = services;
  const { contract } = subject.agreement.adjudication;
  const { sender } = transaction;
  const readRecord = () => (sender === null ? null : recordOf(services, subject, sender));
  const final = services.view()?.final.number;
  const escrow = final === undefined ? null : await (await venueOf(services, state)).state(state, final);
  return {
    subject,
    transaction,
    records: [await readRecord(), await readRecord()],
    codeHash: await judge.codeHash(contract),
    escrow,
  };
}

/** A relayer's record about the subject; its version is 0 when there is none. */
function recordOf({ judge }: Services, subject: Subject, sender: Address): Promise<StoredRecord> {
  const { contract } = subject.agreement.adjudication;
  const key = recordKeyOf(subject);
  return subject.joint === undefined
    ? judge.record(contract, sender, key)
    : judge.workflows.record(contract, sender, key);
}

/** Who has a record about the subject, and which number it has; of a workflow, its assessors alone can have one. */
export async function recordsAbout(services: Services, subject: Subject): Promise<readonly RecordEntry[]> {
  const { contract, relayers } = subject.agreement.adjudication;
  if (subject.joint === undefined) return services.judge.records(contract, recordKeyOf(subject));
  const records = await Promise.all(relayers.map((sender) => recordOf(services, subject, sender)));
  return relayers.flatMap((sender, index) => {
    const found = records[index];
    return found === undefined || found.version === 0 ? [] : [{ sender, sequence: found.sequence }];
  });
}

/**
 * The transactions that used up the agreed rounds: the oldest of all that count, each ended without a record. Which are
 * the oldest can't be told while one of them is under way, since it may have been sent twice; so every operator waits
 * for the same ones and lists the same, whichever it followed itself.
 *
 * @throws NotYetError while fewer than `rounds` are known, or one of the oldest has not ended without a record.
 */
export async function usedRounds(
  services: Services,
  state: SubmissionState,
  subject: Subject,
): Promise<readonly Hex[]> {
  const counting: JudgeTransaction[] = [];
  for (const id of new Set([...state.inconclusive, ...(await candidates(services, state, subject))])) {
    if (services.judge.isKnownOtherwise(id, subject.calldata)) continue;
    const transaction = await services.judge.transaction(id);
    if (transaction !== null && mayCount(subject, transaction)) counting.push(transaction);
  }
  const oldest = counting.sort(byAge).slice(0, state.rounds);
  for (const transaction of oldest) {
    const { kind } = assess(await readFacts(services, state, subject, transaction));
    if (kind !== "inconclusive")
      throw new NotYetError(`round ${transaction.id} reads as ${kind}, it has not ended without a record`);
  }
  if (oldest.length < state.rounds)
    throw new NotYetError(`${oldest.length} of ${state.rounds} rounds read as ended without a record`);
  return oldest.map((transaction) => transaction.id);
}

/** Oldest first; equal times in an order that everybody computes alike. */
function byAge(one: JudgeTransaction, other: JudgeTransaction): number {
  return (one.createdAt ?? 0) - (other.createdAt ?? 0) || (one.id < other.id ? -1 : 1);
}

/** Seconds by which the clocks of the two chains may differ. */
const CLOCK_MARGIN = 3_600;

/** Transactions that may have judged this submission: our own sends', then those that network and peers tell of. */
export async function candidates(
  services: Services,
  state: SubmissionState,
  subject: Subject,
): Promise<readonly Hex[]> {
  const key = keyOf(state);
  const own = await services.store.judgeTransactionsOf(key);
  const { contract } = subject.agreement.adjudication;
  const listed = (await services.judge.transactionsTo(contract, state.submittedAt - CLOCK_MARGIN)) ?? [];
  const told = await services.peers.judgeTransactions(state.agreementId);
  return [...new Set([...own, ...listed, ...told])];
}

/**
 * The judge transaction to follow instead of sending another: the one behind the canonical record (the lowest-numbered
 * one whose transaction meets every condition), else one that is still under way. Null when there is none.
 *
 * @throws NotYetError when a named relayer's record exists whose transaction is not known: it might be the canonical
 *   one, so nothing may be decided without it.
 */
export async function findJudgeTransaction(
  services: Services,
  state: SubmissionState,
  subject: Subject,
): Promise<Hex | null> {
  const { relayers } = subject.agreement.adjudication;
  const entries = await recordsAbout(services, subject);
  const named = entries
    .filter((entry) => relayers.includes(entry.sender))
    .sort((one, other) => one.sequence - other.sequence);
  const excluded = new Set(state.inconclusive);
  const about: JudgeTransaction[] = [];
  for (const id of await candidates(services, state, subject)) {
    if (excluded.has(id) || services.judge.isKnownOtherwise(id, subject.calldata)) continue;
    const transaction = await services.judge.transaction(id);
    if (transaction?.calldata === subject.calldata) about.push(transaction);
  }
  for (const entry of named) {
    // A transaction that is known not to count (on its leader alone, say) leaves a record that does not count either.
    const own = about.filter((transaction) => transaction.sender === entry.sender);
    let undecided = own.length === 0;
    for (const transaction of own) {
      const assessment = assess(await readFacts(services, state, subject, transaction));
      if (assessment.kind === "verdict") return transaction.id;
      undecided ||=
        assessment.kind === "hold" || assessment.kind === "pending" || assessment.kind === "accepted";
    }
    if (undecided)
      throw new NotYetError(
        `record ${entry.sequence} of relayer ${entry.sender} exists, its transaction is not decided here`,
      );
  }
  // Counted rounds are excluded; what is left is under way, or ended without having been looked at.
  return about.find((transaction) => mayCount(subject, transaction))?.id ?? null;
}

/** Whether a transaction counts, or may still: how many nodes take part is known at its end only. */
function mayCount(subject: Subject, transaction: JudgeTransaction): boolean {
  if (transaction.status === "CANCELED") return false;
  if (transaction.status === "FINALIZED" && subject.joint !== undefined && isAgreedError(transaction))
    return false;
  const unmet = roundConditions(subject, transaction);
  if (transaction.status === "FINALIZED") return unmet.length === 0;
  const { initialValidators } = transaction;
  return (
    unmet.every(({ condition }) => condition === "validators") &&
    initialValidators !== null &&
    initialValidators >= subject.agreement.adjudication.minValidators
  );
}
