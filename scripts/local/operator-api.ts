import { setTimeout as sleep } from "node:timers/promises";
import type { Address, Hex, VerdictRecord } from "@assay/protocol";

const POLL_MILLISECONDS = 200;

/** One milestone of a submission and when it was reached (ISO 8601). */
export interface StageView {
  stage: string;
  at: string | null;
}

/** What an operator says about a submission; the part of its answer that is used here. */
export interface SubmissionView {
  submissionHash: Hex;
  state: string;
  reason: string | null;
  lastError: string | null;
  stages: StageView[];
  judge: { transactions: Hex[]; current: Hex | null; inconclusive: Hex[] };
  requirements: VerdictRecord["requirements"];
  verdict: { outcome: string; verdictHash: Hex; record: VerdictRecord } | null;
  settlement: { transactionHash: Hex; final: boolean } | null;
}

/** What an operator says about an agreement. */
export interface AgreementView {
  agreementId: Hex;
  escrowStatus: string;
  ignoredReason: string | null;
  events: { name: string; transactionHash: Hex; blockNumber: number; blockHash: Hex }[];
  submissions: SubmissionView[];
}

/** Reads one agreement; undefined while the operator has not seen it. */
export async function readAgreement(
  operatorUrl: string,
  agreementId: Hex,
): Promise<AgreementView | undefined> {
  const response = await fetch(`${operatorUrl}/v1/agreements/${agreementId}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`The operator answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as AgreementView;
}

/** What an operator signed about an agreement. */
export interface AttestationView {
  operator: Address;
  digest: Hex;
  verdict: { verdictHash: Hex; outcome: number };
}

/** Reads what an operator signed about an agreement; undefined while it has signed nothing. */
export async function readAttestation(
  operatorUrl: string,
  agreementId: Hex,
): Promise<AttestationView | undefined> {
  const response = await fetch(`${operatorUrl}/v1/attestations/${agreementId}`);
  return response.ok ? ((await response.json()) as AttestationView) : undefined;
}

/**
 * Polls an agreement until `done` says so.
 *
 * @param operatorUrl asked anew for each poll, because an operator that is started again listens elsewhere
 * @throws after `timeoutSeconds`, with what the operator said last
 */
export async function waitForAgreement(
  operatorUrl: () => string,
  agreementId: Hex,
  done: (view: AgreementView) => boolean,
  { timeoutSeconds = 60, onView }: { timeoutSeconds?: number; onView?: (view: AgreementView) => void } = {},
): Promise<AgreementView> {
  const deadline = performance.now() + timeoutSeconds * 1000;
  for (;;) {
    const view = await readAgreement(operatorUrl(), agreementId).catch(() => undefined);
    if (view) onView?.(view);
    if (view && done(view)) return view;
    if (performance.now() > deadline) {
      throw new Error(
        `Agreement ${agreementId} did not get there in ${timeoutSeconds} s: ${JSON.stringify(view)}`,
      );
    }
    await sleep(POLL_MILLISECONDS);
  }
}

/** The submission that the operator is working on, or has settled. */
export const latestSubmission = (view: AgreementView): SubmissionView | undefined => view.submissions.at(-1);
