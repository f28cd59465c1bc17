import { findDocument, findVerdictRecord, readEvm, type Found } from "@assay/evidence";
import { BUNDLE_SCHEMA, openCase, type Evidence, type Hex } from "@assay/protocol";
import type { Network } from "../network/network.ts";
import { viewOf, type AgreementView, type ChainEvent, type OperatorReading } from "./view.ts";

/**
 * Reads an agreement from the chain, its documents from wherever they are, and what operators say about it.
 *
 * @param seen events that were seen before, to find those that the chain took back.
 * @throws UnavailableError when the chain can't be asked; UnknownAgreementError when its escrow knows none.
 */
export async function readAgreement(
  network: Network,
  agreementId: Hex,
  seen: readonly ChainEvent[] = [],
): Promise<AgreementView> {
  const { chain, profile, sources } = network;
  const { escrow, chainId, startBlock } = profile.evm;
  const where = { agreementId, escrow, chainId, fromBlock: startBlock, proofs: false };
  const [{ evm, gaps }, head, operators] = await Promise.all([
    readEvm(chain, where),
    chain.head(),
    Promise.all(network.operators.map((operator) => askOperator(operator, agreementId))),
  ]);
  const bare: Evidence = {
    schema: BUNDLE_SCHEMA,
    agreementId,
    evm,
    documents: { agreement: null, submission: null },
    verdictRecord: null,
    judge: null,
    gaps,
  };
  const { terms, history } = openCase(bare);
  const verdictHash = history.ending?.verdictHash ?? null;
  const [agreement, submission, record] = await Promise.all([
    terms === null ? null : findDocument(sources, terms.agreementHash),
    history.submitted === null ? null : findDocument(sources, history.submitted.submissionHash),
    verdictHash === null ? null : findVerdictRecord(sources, agreementId, verdictHash),
  ]);
  // Where a gate decides, the submission is the walk's end, and no document has that hash.
  const withAgreement = { ...bare, documents: { agreement: textOf(agreement), submission: null } };
  if (openCase(withAgreement).walk !== null)
    return viewOf(
      { ...withAgreement, gaps: [...gaps, ...gapOf("agreement", agreement)] },
      operators,
      head.timestamp,
      seen,
    );
  const evidence: Evidence = {
    ...bare,
    documents: { agreement: textOf(agreement), submission: textOf(submission) },
    verdictRecord: textOf(record),
    gaps: [
      ...gaps,
      ...gapOf("agreement", agreement),
      ...gapOf("submission", submission),
      ...gapOf("verdictRecord", record),
    ],
  };
  return viewOf(evidence, operators, head.timestamp, seen);
}

async function askOperator(
  operator: Network["operators"][number],
  agreementId: Hex,
): Promise<OperatorReading> {
  const { origin } = operator;
  try {
    return { origin, view: await operator.agreement(agreementId) };
  } catch (error) {
    return { origin, problem: error instanceof Error ? error.message : String(error) };
  }
}

function textOf(found: Found | null): string | null {
  return found !== null && "text" in found ? found.text : null;
}

function gapOf(subject: "agreement" | "submission" | "verdictRecord", found: Found | null): Evidence["gaps"] {
  return found !== null && "reason" in found ? [{ subject, reason: found.reason }] : [];
}
