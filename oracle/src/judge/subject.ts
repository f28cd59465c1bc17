import {
  adjudicationKey,
  fitsAgreement,
  isJoint,
  type Agreement,
  type Submission,
  type Terms,
} from "@assay/protocol";
import type { SubmissionState } from "../core/index.ts";
import type { StoredDocument } from "../documents/parsed.ts";
import { recentOf } from "../run/recent.ts";
import type { Services } from "../run/services.ts";
import { NotYetError } from "../run/step.ts";
import { agreementOf, venueOf, type Venue } from "../venue/index.ts";
import type { Subject } from "./conditions.ts";
import { jointSubjectOf } from "./joint.ts";
import type { AdjudicationCall } from "./judge.ts";
import type { WorkflowCall } from "./workflows.ts";

/** The agreement with everything that is needed to judge one submission under it. */
export interface Matter {
  readonly terms: Terms;
  readonly subject: Subject;
  /** What the judge is asked. */
  readonly call: AdjudicationCall | Extract<WorkflowCall, { method: "assess" }>;
  readonly submission: Submission;
}

/** The terms under which a submission was made. */
export async function termsOf(
  services: Services,
  state: Pick<SubmissionState, "agreementId">,
): Promise<Terms> {
  return (await agreementOf(services, state)).terms;
}

/** A submission with the agreement that it is under. */
export interface OwnDocuments {
  readonly terms: Terms;
  readonly agreement: StoredDocument<Agreement>;
  readonly submission: StoredDocument<Submission>;
}

/**
 * The documents of a submission that this operator holds.
 *
 * @returns null when one is missing, or the submission's document is no submission under this agreement.
 */
export async function documentsOf(
  services: Services,
  state: Pick<SubmissionState, "agreementId" | "submissionHash">,
): Promise<OwnDocuments | null> {
  const terms = await termsOf(services, state);
  const agreement = await services.documents.agreement(terms.agreementHash);
  const submission = await services.documents.submission(state.submissionHash);
  if (agreement === null || submission === null) return null;
  if (submission.document.agreementId !== state.agreementId) return null;
  return fitsAgreement(agreement.document, submission.document) ? { terms, agreement, submission } : null;
}

/** Matters kept at hand; each may hold two documents of half a megabyte. They follow from content alone. */
const matters = recentOf<Matter>(32);

/**
 * Puts together what is judged, from the documents that this operator holds.
 *
 * @returns null when a document is missing, or is not what it has to be.
 * @throws NotYetError when the other side of a joint agreement has no submission that can be judged.
 */
export async function matterOf(services: Services, state: SubmissionState): Promise<Matter | null> {
  const name = `${state.agreementId} ${state.submissionHash}`;
  const known = matters(services).get(name);
  if (known !== null) return known;
  const documents = await documentsOf(services, state);
  if (documents === null) return null;
  const matter = isJoint(documents.agreement.document)
    ? await jointMatter(services, state, documents)
    : ordinaryMatter(services, state, documents, await venueOf(services, state));
  // What the other side submitted may still be undone by a reorganisation.
  if (matter.subject.joint === undefined) matters(services).keep(name, matter);
  return matter;
}

function ordinaryMatter(
  { config, judge }: Services,
  state: SubmissionState,
  { terms, agreement, submission }: OwnDocuments,
  { contract: escrow }: Venue,
): Matter {
  const call = {
    agreementId: state.agreementId,
    chainId: config.evm.chainId,
    escrow,
    agreementText: agreement.text,
    submissionText: submission.text,
  };
  const subject = { ...placeOf(config, state, terms), escrow, agreement: agreement.document };
  return {
    terms,
    call,
    submission: submission.document,
    subject: {
      ...subject,
      adjudicationKey: adjudicationKey(subject),
      calldata: judge.calldataOf(call),
    },
  };
}

async function jointMatter(
  services: Services,
  state: SubmissionState,
  { terms, agreement, submission }: OwnDocuments,
): Promise<Matter> {
  const joint = await jointSubjectOf(services, state, agreement.document, submission.document);
  const call = { method: "assess", workflowKey: joint.plan.place.workflowKey } as const;
  const subject = { ...placeOf(services.config, state, terms), agreement: agreement.document };
  return {
    terms,
    call,
    submission: submission.document,
    subject: {
      ...subject,
      adjudicationKey: adjudicationKey(subject),
      calldata: services.judge.workflows.calldataOf(call),
      joint,
    },
  };
}

function placeOf(config: Services["config"], state: SubmissionState, terms: Terms) {
  return {
    agreementId: state.agreementId,
    agreementHash: terms.agreementHash,
    submissionHash: state.submissionHash,
    chainId: config.evm.chainId,
    escrow: config.evm.escrow,
  };
}

/** As `matterOf`, once the documents were collected: their absence is then a fault of the store. */
export async function requiredMatter(services: Services, state: SubmissionState): Promise<Matter> {
  const matter = await matterOf(services, state);
  if (matter === null) throw new NotYetError("a document that was here is missing");
  return matter;
}
