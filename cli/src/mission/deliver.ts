import {
  examineExecution,
  isGated,
  isSameAddress,
  type Agreement,
  type GateDelivery,
  type Hex,
} from "@assay/protocol";
import { documentOf, type OpenedDeal } from "../deal/open-deal.ts";
import { RefusedError, UnavailableError } from "../errors.ts";
import type { Session } from "../session.ts";
import { firstFailure, proofFor, type ProofOptions } from "./proof-option.ts";

/** An agreement's document. */
interface Document {
  readonly document: Agreement;
  readonly bytes: Uint8Array;
}

/**
 * The document of an agreement that a gate decides; null of one that operators decide.
 *
 * @throws UnavailableError when the terms or the options point to a gate and nobody has the document, without which no
 * proof can be delivered.
 */
export async function gatedDocument(
  { network }: Session,
  deal: OpenedDeal,
  { proof, recorder }: ProofOptions,
): Promise<Document | null> {
  if (deal.quorum !== null) return null;
  const isMeant = proof !== undefined || recorder !== undefined;
  const isKnown = network.gate !== null && isSameAddress(network.gate, deal.terms.adjudicator);
  try {
    const found = await documentOf(deal, network.operators);
    return isGated(deal.terms, found.document) ? found : null;
  } catch (error) {
    if (error instanceof UnavailableError && !isMeant && !isKnown) return null;
    throw error;
  }
}

/**
 * The proof that releases an agreement, verified here as its gate will.
 *
 * @throws RefusedError naming what does not hold.
 */
export async function proofToDeliver(
  session: Session,
  deal: OpenedDeal,
  document: Document,
  options: ProofOptions,
): Promise<{ readonly proof: GateDelivery; readonly terminal: Hex }> {
  const facts = await proofFor(session, deal, document, options, true);
  const report = examineExecution(facts);
  const failure = firstFailure(report);
  const { terminal } = report;
  if (failure !== null || terminal === null || facts.signature === null)
    throw new RefusedError(
      "proof_wrong",
      failure ?? "the walk is not at its end, or not signed",
      "The gate would not pay for it; nothing was sent. See `assay mission verify`.",
    );
  const { execution, records, signature } = facts;
  return {
    proof: {
      escrow: session.network.escrow,
      terms: deal.terms,
      execution,
      records,
      signature: signature as Hex,
    },
    terminal,
  };
}
