import { openCase, type Address, type Evidence, type Hex } from "@assay/protocol";
import { createChain } from "../evm/chain.ts";
import { askContracts } from "../evm/contract-signatures.ts";
import type { Source } from "../sources/source.ts";
import { readJudge } from "./judge.ts";
import { findOwnDocuments, gapOf, readOwnChain, textOf, withOwnDocuments } from "./own.ts";
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
  const bare = await readOwnChain(chain, { agreementId, ...places });
  const [contractSignatures, found] = await Promise.all([
    askContracts(chain, bare),
    findOwnDocuments(bare, places.sources),
  ]);
  const own = withOwnDocuments({ ...bare, evm: { ...bare.evm, contractSignatures } }, found);
  // Where a gate decides there is no judge to read: its proof is in the calldata.
  if (openCase(own).walk !== null) return own;
  const partner = await findPartnerSubmission(own, chain, places);
  const withPartner: Evidence =
    partner === null ? own : { ...own, documents: { ...own.documents, partnerSubmission: textOf(partner) } };
  const reading = await readJudge(withPartner, own.verdictRecord, places.genlayerRpcUrl);
  const verdictRecord = reading.verdictRecord ?? own.verdictRecord;
  const gaps = own.gaps.filter(({ subject }) => subject !== "verdictRecord" || verdictRecord === null);
  return {
    ...withPartner,
    verdictRecord,
    judge: reading.judge,
    gaps: [...gaps, ...gapOf("partnerSubmission", partner), ...reading.gaps],
  };
}
