import { verdictRow } from "../attest/verdict.ts";
import type { SubmissionState } from "../core/index.ts";
import { NotYetError, chainView, type Handler, type Services, type Work } from "../run/index.ts";
import type { AgreementRow, Commit, VerdictRow } from "../store/index.ts";
import { admitJob, knownAgreement } from "../venue/index.ts";
import { receiptOf } from "./outbox.ts";

/** Waits until the block that reports the settlement is final. */
export function createConfirmHandler(services: Services): Handler {
  const { chain } = services;
  return async (work) => {
    const { state } = work;
    if (state.seen === null) throw new NotYetError("no settlement is known");
    const { block } = state.seen;
    if (block.number > chainView(services).final.number)
      return { wait: "finality", change: { outboxStatus: await placesGivenUp(services, work) } };
    const header = await chain.header(block.number);
    if (header?.hash !== block.hash)
      throw new NotYetError(`block ${block.number} reads as ${header?.hash ?? "missing"}, not ${block.hash}`);
    return {
      events: [{ type: "SettlementFinal" }],
      change: {
        verdicts: await recordOfOthers(services, state),
        agreements: await missingAgreement(services, state),
      },
    };
  };
}

/** A job that ended before this operator looked at it: only to be shown, so what can't be read now is left out. */
async function missingAgreement(
  services: Services,
  state: SubmissionState,
): Promise<readonly AgreementRow[]> {
  if ((await knownAgreement(services, state)) !== null) return [];
  try {
    return [await admitJob(services, state, chainView(services).final.number)];
  } catch (error) {
    if (error instanceof Error && UNREADABLE.includes(error.name)) return [];
    throw error;
  }
}

const UNREADABLE: readonly string[] = ["NotYetError", "RpcUnavailableError", "RpcResponseError"];

/**
 * The settlement was seen before its receipt was looked for: its nonce is used, so that others may have its place among
 * those that are under way, and need not wait until this one is final.
 */
async function placesGivenUp(
  services: Services,
  { state, journal }: Work,
): Promise<NonNullable<Commit["outboxStatus"]>> {
  const own = await journal.open("settle");
  if (own?.status !== "open") return [];
  const isSeen = own.attempts.some(({ transactionHash }) => transactionHash === state.seen?.transactionHash);
  // Where others were faster ours reverts, which uses its nonce as well.
  if (!isSeen && (await receiptOf(services, own)) === null) return [];
  return [{ outboxId: own.id, status: "included" }];
}

/**
 * Where others settled before this operator had a verdict: their record, by its hash, so that this operator can show
 * what was decided. It changes nothing; without one the settlement is as final.
 */
async function recordOfOthers(
  services: Services,
  { agreementId, submissionHash, verdict, seen }: SubmissionState,
): Promise<readonly VerdictRow[]> {
  const { store, peers } = services;
  if (verdict !== null || seen === null || (await store.verdict(seen.verdictHash)) !== null) return [];
  const record = await peers.verdictRecord(seen.verdictHash);
  if (record?.agreementId !== agreementId || record.submissionHash !== submissionHash) return [];
  return [verdictRow(services, record).row];
}
