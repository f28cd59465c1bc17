import { agreementIdOf, termsFromEvent, type Address, type Hex, type Terms } from "@assay/protocol";
import type { AgreementRow, LogRow } from "../store/index.ts";

/** Which agreements an operator serves. */
export interface Jurisdiction {
  readonly chainId: number;
  readonly escrow: Address;
  readonly quorum: Address;
  readonly members: readonly Address[];
  /** `adjudicatorConfig` that names these members and their threshold. */
  readonly configHash: Hex;
  /** The ERC-8183 contracts whose jobs are read, and the evaluator that such a job has to name; null for none. */
  readonly jobs: { readonly evaluator: Address; readonly contracts: readonly Address[] } | null;
}

/**
 * The agreement that a `Funded` log announces, and why this operator leaves it alone, if it does.
 *
 * @throws Error when the log's id is not the digest of its terms: the endpoint lies, or the domain is another one.
 */
export function agreementOf(log: LogRow, jurisdiction: Jurisdiction): AgreementRow {
  const terms = termsOf(log);
  const { chainId, escrow } = jurisdiction;
  if (agreementIdOf(terms, chainId, escrow) !== log.agreementId)
    throw new Error(`agreement ${log.agreementId} is not the digest of its terms on chain ${chainId}`);
  return {
    agreementId: log.agreementId,
    terms,
    job: null,
    ignoredReason: reasonToIgnore(terms, jurisdiction),
  };
}

function reasonToIgnore(terms: Terms, jurisdiction: Jurisdiction): string | null {
  if (terms.adjudicator !== jurisdiction.quorum)
    return `its adjudicator is ${terms.adjudicator}, not our quorum`;
  if (terms.adjudicatorConfig !== jurisdiction.configHash)
    return `its adjudicator config is ${terms.adjudicatorConfig}, which is not our member set`;
  return partyAmongMembers(terms, jurisdiction.members);
}

/** The escrow can't see who is behind a config hash; nobody may judge in their own case. */
export function partyAmongMembers(
  terms: Pick<Terms, "buyer" | "seller">,
  members: readonly Address[],
): string | null {
  for (const role of ["buyer", "seller"] as const)
    if (members.includes(terms[role])) return `its ${role} ${terms[role]} is a member of our set`;
  return null;
}

function termsOf(log: LogRow): Terms {
  const member = (name: string) => log.data[`terms.${name}`] ?? "";
  return termsFromEvent({
    buyer: member("buyer"),
    seller: member("seller"),
    reward: BigInt(member("reward")),
    agreementHash: member("agreementHash"),
    adjudicator: member("adjudicator"),
    adjudicatorConfig: member("adjudicatorConfig"),
    deliverBy: BigInt(member("deliverBy")),
    adjudicateBy: BigInt(member("adjudicateBy")),
    noVerdictSellerBps: BigInt(member("noVerdictSellerBps")),
    salt: BigInt(member("salt")),
  });
}
