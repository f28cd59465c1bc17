import { adjudicationKey, type Terms } from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import { recentOf } from "../run/recent.ts";
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

/** Terms kept at hand. An agreement's id is the digest of its terms, so they never change. */
const termsAtHand = recentOf<Terms>(1_024);

/** The terms under which a submission was made. They were stored before the submission was. */
export async function termsOf(services: Services, { agreementId }: SubmissionState): Promise<Terms> {
  const recent = termsAtHand(services);
  const known = recent.get(agreementId);
  if (known !== null) return known;
  const agreement = await services.store.agreement(agreementId);
  if (agreement === null) throw new NotYetError("the terms of the agreement are not known");
  recent.keep(agreementId, agreement.terms);
  return agreement.terms;
}

/** Matters kept at hand; each may hold two documents of half a megabyte. They follow from content alone. */
const matters = recentOf<Matter>(32);

/**
 * Puts together what is judged, from the documents that this operator holds.
 *
 * @returns null when a document is missing, or the submission's document is about another agreement.
 */
export async function matterOf(services: Services, state: SubmissionState): Promise<Matter | null> {
  const name = `${state.agreementId} ${state.submissionHash}`;
  const known = matters(services).get(name);
  if (known !== null) return known;
  const matter = await assemble(services, state);
  if (matter !== null) matters(services).keep(name, matter);
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
