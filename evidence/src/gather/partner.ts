import { openCase, otherRole, type Evidence } from "@assay/protocol";
import { UnavailableError } from "../error.ts";
import type { Chain } from "../evm/chain.ts";
import { readEvm } from "../evm/evidence.ts";
import { findDocument, type Found } from "../sources/find.ts";
import type { Places } from "./gather.ts";

/**
 * What the other side of a joint agreement submitted: its hash from the escrow, its text from any source.
 *
 * @returns null when the agreement has no other side, or that has submitted nothing.
 */
export async function findPartnerSubmission(
  evidence: Evidence,
  chain: Chain,
  places: Places,
): Promise<Found | null> {
  const { joint } = openCase(evidence);
  if (joint?.role == null) return null;
  const { agreementId } = joint.plan.sides[otherRole(joint.role)];
  try {
    const { evm } = await readEvm(chain, { ...places, agreementId, proofs: false });
    const { submitted } = openCase({ ...evidence, agreementId, evm }).history;
    return submitted === null ? null : await findDocument(places.sources, submitted.submissionHash);
  } catch (error) {
    if (error instanceof UnavailableError) return { reason: error.message };
    throw error;
  }
}
