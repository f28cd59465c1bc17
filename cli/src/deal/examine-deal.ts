import {
  adjudicatorConfigOf,
  agreementIdOf,
  conflictedReporters,
  hasConflictedRecorder,
  isGated,
  isJoint,
  isSameAddress,
  jointPlanOf,
  roleIn,
  validateTerms,
  type Agreement,
  type JointAgreement,
  type Terms,
} from "@assay/protocol";
import type { Network } from "../options/network.ts";

/** One thing that a careful party looks at before it signs. */
export interface DealFinding {
  readonly id: "terms" | "reporters" | "recorder" | "judge" | "operators" | "gate" | "joint";
  readonly result: "ok" | "problem" | "unknown";
  readonly message: string;
}

/**
 * Looks at a deal as somebody who is about to sign it: would the escrow take the terms, are the reporters nobody's,
 * are judge and operators the ones that this network's profile names.
 *
 * @param now the chain's time when the deal is still to be funded; null when it is funded already.
 */
export function examineDeal(
  { terms, agreement }: { readonly terms: Terms; readonly agreement: Agreement },
  network: Pick<Network, "escrow" | "gate" | "quorum" | "adjudication" | "responsibility">,
  now: number | null,
): DealFinding[] {
  return [
    termsFinding(terms, network, now),
    reportersFinding(agreement, terms),
    ...(agreement.execution === undefined ? [] : [recorderFinding(agreement, terms)]),
    ...(isJoint(agreement) ? [jointFinding(agreement, terms, network)] : []),
    ...(isGated(terms, agreement)
      ? [gateFinding(terms, network)]
      : [judgeFinding(agreement, network), operatorsFinding(terms, network)]),
  ];
}

function termsFinding(terms: Terms, { escrow }: Pick<Network, "escrow">, now: number | null): DealFinding {
  const problems = validateTerms(terms, now ?? undefined, { escrow });
  return problems.length === 0
    ? { id: "terms", result: "ok", message: "the escrow takes these terms" }
    : {
        id: "terms",
        result: "problem",
        message: problems.map(({ message, hint }) => `${message}. ${hint}`).join(" "),
      };
}

function reportersFinding(agreement: Agreement, terms: Terms): DealFinding {
  const conflicted = conflictedReporters(agreement, terms);
  return conflicted.length === 0
    ? { id: "reporters", result: "ok", message: "no reporter is the buyer or the seller" }
    : {
        id: "reporters",
        result: "problem",
        message: "a reporter is the buyer or the seller, so its word would decide its own case",
      };
}

function recorderFinding(agreement: Agreement, terms: Terms): DealFinding {
  return hasConflictedRecorder(agreement, terms)
    ? {
        id: "recorder",
        result: "problem",
        message: "the recorder is the buyer or the seller, so its word would decide its own case",
      }
    : { id: "recorder", result: "ok", message: "the recorder is neither the buyer nor the seller" };
}

function gateFinding({ adjudicator }: Terms, { gate }: Pick<Network, "gate">): DealFinding {
  if (gate === null)
    return { id: "gate", result: "unknown", message: "no profile says which gate this network has" };
  return isSameAddress(adjudicator, gate)
    ? {
        id: "gate",
        result: "ok",
        message: "the gate is the one of this network's profile; no judge is asked",
      }
    : {
        id: "gate",
        result: "problem",
        message: `the adjudicator is ${adjudicator}, not this network's gate ${gate}`,
      };
}

/** Terms that the document does not make are judged by nobody. */
function jointFinding(
  agreement: JointAgreement,
  terms: Terms,
  { escrow }: Pick<Network, "escrow">,
): DealFinding {
  const { joint } = agreement;
  const role = isSameAddress(joint.escrow, escrow)
    ? roleIn(jointPlanOf(agreement), agreementIdOf(terms, joint.chainId, joint.escrow))
    : null;
  return role === null
    ? {
        id: "joint",
        result: "problem",
        message: "the terms are neither side of the joint document, so no operator has it judged",
      }
    : { id: "joint", result: "ok", message: `the terms are agent ${role}'s side of the joint document` };
}

function judgeFinding(
  agreement: Agreement,
  network: Pick<Network, "adjudication" | "responsibility">,
): DealFinding {
  const { adjudication } = agreement;
  const known = isJoint(agreement)
    ? network.adjudication !== null && network.responsibility !== null
      ? { ...network.adjudication, ...network.responsibility }
      : null
    : network.adjudication;
  if (known === null)
    return { id: "judge", result: "unknown", message: "no profile says which judge this network uses" };
  const differing = (["network", "chainId", "consensusMain", "contract", "codeHash"] as const).filter(
    (member) => adjudication[member] !== known[member],
  );
  return differing.length === 0
    ? { id: "judge", result: "ok", message: "the judge is the one of this network's profile" }
    : {
        id: "judge",
        result: "problem",
        message: `the judge is another one than this network's profile names: ${differing.join(", ")} differ`,
      };
}

function operatorsFinding(terms: Terms, { quorum }: Pick<Network, "quorum">): DealFinding {
  if (quorum === null)
    return {
      id: "operators",
      result: "unknown",
      message: "no profile says which operators this network has",
    };
  if (!isSameAddress(terms.adjudicator, quorum.address))
    return {
      id: "operators",
      result: "problem",
      message: `the adjudicator is ${terms.adjudicator}, not this network's quorum ${quorum.address}`,
    };
  return terms.adjudicatorConfig === adjudicatorConfigOf(quorum.members, quorum.threshold)
    ? { id: "operators", result: "ok", message: "the operators are those of this network's profile" }
    : {
        id: "operators",
        result: "problem",
        message:
          "the operators, or how many of them have to agree, are others than in this network's profile",
      };
}
