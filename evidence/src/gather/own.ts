import { BUNDLE_SCHEMA, openCase, type Evidence } from "@assay/protocol";
import type { Chain } from "../evm/chain.ts";
import { readEvm, type Whereabouts } from "../evm/evidence.ts";
import { findDocument, findVerdictRecord, type Found } from "../sources/find.ts";
import type { Source } from "../sources/source.ts";

/** What was found of an agreement's own documents; null for one that there can't be yet. */
export interface OwnDocuments {
  readonly agreement: Found | null;
  readonly submission: Found | null;
  readonly verdictRecord: Found | null;
}

/**
 * What the escrow's chain says about an agreement, as evidence without a document.
 *
 * @throws UnavailableError when the chain can't be asked; UnknownAgreementError when its escrow knows none.
 */
export async function readOwnChain(chain: Chain, where: Whereabouts): Promise<Evidence> {
  const { evm, gaps } = await readEvm(chain, where);
  return {
    schema: BUNDLE_SCHEMA,
    agreementId: where.agreementId,
    evm,
    documents: { agreement: null, submission: null },
    verdictRecord: null,
    judge: null,
    gaps,
  };
}

/** Looks for the documents whose hashes the chain says. */
export async function findOwnDocuments(
  evidence: Evidence,
  sources: readonly Source[],
): Promise<OwnDocuments> {
  const { terms, history } = openCase(evidence);
  const verdictHash = history.ending?.verdictHash ?? null;
  const [agreement, submission, verdictRecord] = await Promise.all([
    terms === null ? null : findDocument(sources, terms.agreementHash),
    history.submitted === null ? null : findDocument(sources, history.submitted.submissionHash),
    verdictHash === null ? null : findVerdictRecord(sources, evidence.agreementId, verdictHash),
  ]);
  return { agreement, submission, verdictRecord };
}

/** The evidence with what was found, and with a gap for what was not. */
export function withOwnDocuments(evidence: Evidence, found: OwnDocuments): Evidence {
  const { agreement, submission, verdictRecord } = found;
  const withAgreement: Evidence = {
    ...evidence,
    documents: { agreement: textOf(agreement), submission: null },
    gaps: [...evidence.gaps, ...gapOf("agreement", agreement)],
  };
  // Where a gate decides, the submission is the walk's end: no document has that hash, and no judge writes a record.
  if (openCase(withAgreement).walk !== null) return withAgreement;
  return {
    ...withAgreement,
    documents: { agreement: textOf(agreement), submission: textOf(submission) },
    verdictRecord: textOf(verdictRecord),
    gaps: [
      ...withAgreement.gaps,
      ...gapOf("submission", submission),
      ...gapOf("verdictRecord", verdictRecord),
    ],
  };
}

/** The text that was found; null when none was. */
export function textOf(found: Found | null): string | null {
  return found !== null && "text" in found ? found.text : null;
}

/** A gap with the reason why something was not found; none when it was, or could not be. */
export function gapOf(subject: Evidence["gaps"][number]["subject"], found: Found | null): Evidence["gaps"] {
  return found !== null && "reason" in found ? [{ subject, reason: found.reason }] : [];
}
