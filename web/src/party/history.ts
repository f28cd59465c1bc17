import {
  isSameAddress,
  reputationOf,
  type Address,
  type AgreementFact,
  type AsOf,
  type Rate,
  type Reputation,
  type TrustedAdjudication,
} from "@assay/protocol";

/** Moments at which a history is looked at, at most. */
const MOST_MOMENTS = 60;

/** A party's standing at one moment. */
export interface Moment {
  /** Unix seconds. */
  readonly at: number;
  /** Agreements that had ended, as a seller and as a buyer. */
  readonly sold: number;
  readonly bought: number;
  /** Rewards of agreements funded until then, as a seller and as a buyer; base units. */
  readonly soldVolume: bigint;
  readonly boughtVolume: bigint;
  readonly completion: Rate;
}

/**
 * How a party came to stand where it stands: the same arithmetic as `assay reputation`, at every moment at which
 * something changed (or at evenly chosen ones of them), from the same facts.
 */
export function historyOf(
  party: Address,
  facts: readonly AgreementFact[],
  asOf: AsOf,
  adjudications: readonly TrustedAdjudication[] | undefined,
): readonly Moment[] {
  const own = facts.filter(
    ({ buyer, seller }) => isSameAddress(buyer, party) || isSameAddress(seller, party),
  );
  const changes = own.flatMap(({ fundedAt, end }) => (end === null ? [fundedAt] : [fundedAt, end.at]));
  const moments = [...new Set([...changes.filter((at) => at <= asOf.timestamp), asOf.timestamp])].sort(
    (one, other) => one - other,
  );
  return thinned(moments).map((at) => {
    const { asSeller, asBuyer } = reputationAt(party, facts, { ...asOf, timestamp: at }, adjudications);
    return {
      at,
      sold: asSeller.counts.ended,
      bought: asBuyer.counts.ended,
      soldVolume: asSeller.fundedVolume,
      boughtVolume: asBuyer.fundedVolume,
      completion: asSeller.completion.all,
    };
  });
}

/** A party's reputation at a moment. */
export function reputationAt(
  party: Address,
  agreements: readonly AgreementFact[],
  asOf: AsOf,
  adjudications: readonly TrustedAdjudication[] | undefined,
): Reputation {
  return reputationOf({ party, asOf, agreements, ...(adjudications === undefined ? {} : { adjudications }) });
}

/** So many of them, evenly, the first and the last included. */
function thinned(moments: readonly number[]): readonly number[] {
  if (moments.length <= MOST_MOMENTS) return moments;
  const step = (moments.length - 1) / (MOST_MOMENTS - 1);
  return Array.from({ length: MOST_MOMENTS }, (_unused, index) => moments[Math.round(index * step)] ?? 0);
}
