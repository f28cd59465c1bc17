import { adjudicationKey, type Terms } from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import type { Services } from "../run/services.ts";
import { NotYetError } from "../run/step.ts";
import type { Subject } from "./conditions.ts";
import type { AdjudicationCall } from "./judge.ts";

/** The agreement with everything that is needed to judge one submission under it. */
export interface Matter {
  readonly terms: Terms;
  readonly subject: Subject;
  readonly call: AdjudicationCall;
}

/** The terms under which a submission was made. They were stored before the submission was. */
export async function termsOf(services: Services, state: SubmissionState): Promise<Terms> {
  const agreement = await services.store.agreement(state.agreementId);
  if (agreement === null) throw new NotYetError("the terms of the agreement are not known");
  return agreement.terms;
}

/** Matters kept at hand; each may hold two documents of half a megabyte. */
const MAX_MATTERS = 32;
/** What was put together before, oldest first. It follows from content alone, so it never changes. */
const matters = new WeakMap<Services, Map<string, Matter>>();

/**
 * Puts together what is judged, from the documents that this operator holds.
 *
 * @returns null when a document is missing, or the submission's document is about another agreement.
 */
export async function matterOf(services: Services, state: SubmissionState): Promise<Matter | null> {
  const known = matters.get(services) ?? new Map<string, Matter>();
  matters.set(services, known);
  const name = `${state.agreementId} ${state.submissionHash}`;
  const matter = known.get(name) ?? (await assemble(services, state));
  if (matter === null) return null;
  known.delete(name);
  known.set(name, matter);
  const oldest = known.size > MAX_MATTERS ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  return matter;
}

async function assemble(services: Services, state: SubmissionState): Promise<Matter | null> {
  const { config, documents, judge } = services;
  const terms = await termsOf(services, state);
  const agreement = await documents.agreement(terms.agreementHash);
  const submission = await documents.submission(state.submissionHash);
  if (agreement === null || submission === null) return null;
  if (submission.document.agreementId !== state.agreementId) return null;
  const subject = {
    agreementId: state.agreementId,
    agreementHash: terms.agreementHash,
    submissionHash: state.submissionHash,
    chainId: config.evm.chainId,
    escrow: config.evm.escrow,
  };
  const call = {
    agreementId: state.agreementId,
    chainId: config.evm.chainId,
    escrow: config.evm.escrow,
    agreementText: agreement.text,
    submissionText: submission.text,
  };
  return {
    terms,
    call,
    subject: {
      ...subject,
      agreement: agreement.document,
      adjudicationKey: adjudicationKey(subject),
      calldata: judge.calldataOf(call),
    },
  };
}

/** As `matterOf`, once the documents were collected: their absence is then a fault of the store. */
export async function requiredMatter(services: Services, state: SubmissionState): Promise<Matter> {
  const matter = await matterOf(services, state);
  if (matter === null) throw new NotYetError("a document that was here is missing");
  return matter;
}
