import { BUNDLE_SCHEMA, openCase, type Address, type Evidence, type Hex } from "@assay/protocol";
import { createChain } from "../evm/chain.ts";
import { askContracts } from "../evm/contract-signatures.ts";
import { readEvm } from "../evm/evidence.ts";
import { findDocument, findVerdictRecord, type Found } from "../sources/find.ts";
import type { Source } from "../sources/source.ts";
import { readJudge } from "./judge.ts";
import { findPartnerSubmission } from "./partner.ts";

/** Where public facts are read. */
export interface Places {
  readonly rpcUrl: string;
  /** Null to take the node's. */
  readonly chainId: number | null;
  readonly escrow: Address;
  readonly fromBlock: number;
  /** Null for the public endpoint of the agreement's network. */
  readonly genlayerRpcUrl: string | null;
  /** In the order in which they are asked. */
  readonly sources: readonly Source[];
}

/**
 * Reads every public fact about an agreement: terms, events and certificate from the EVM, documents by hash from any
 * source, the judge's record and transactions from GenLayer.
 *
 * @throws UnavailableError when the agreement can't be found; whatever else is missing becomes a gap with its reason.
 */
export async function gather(agreementId: Hex, places: Places): Promise<Evidence> {
  const chain = createChain(places.rpcUrl);
  const { evm, gaps } = await readEvm(chain, { agreementId, ...places });
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
  const [contractSignatures, agreement, submission, published] = await Promise.all([
    askContracts(chain, bare),
    terms === null ? null : findDocument(places.sources, terms.agreementHash),
    history.submitted === null ? null : findDocument(places.sources, history.submitted.submissionHash),
    verdictHash === null ? null : findVerdictRecord(places.sources, agreementId, verdictHash),
  ]);
  const own: Evidence = {
    ...bare,
    evm: { ...evm, contractSignatures },
    documents: { agreement: textOf(agreement), submission: textOf(submission) },
  };
  // Where a gate decides there is no judge to read: the walk's end is the submission, and its proof is in the calldata.
  if (openCase(own).walk !== null)
    return {
      ...own,
      documents: { ...own.documents, submission: null },
      gaps: [...gaps, ...gapOf("agreement", agreement)],
    };
  const partner = await findPartnerSubmission(own, chain, places);
  const withDocuments: Evidence =
    partner === null ? own : { ...own, documents: { ...own.documents, partnerSubmission: textOf(partner) } };
  const reading = await readJudge(withDocuments, textOf(published), places.genlayerRpcUrl);
  const verdictRecord = reading.verdictRecord ?? textOf(published);
  const missing = [
    gapOf("agreement", agreement),
    gapOf("submission", submission),
    gapOf("partnerSubmission", partner),
    verdictRecord === null ? gapOf("verdictRecord", published) : [],
  ].flat();
  return {
    ...withDocuments,
    verdictRecord,
    judge: reading.judge,
    gaps: [...gaps, ...missing, ...reading.gaps],
  };
}

function textOf(found: Found | null): string | null {
  return found !== null && "text" in found ? found.text : null;
}

function gapOf(subject: Evidence["gaps"][number]["subject"], found: Found | null): Evidence["gaps"] {
  return found !== null && "reason" in found ? [{ subject, reason: found.reason }] : [];
}
