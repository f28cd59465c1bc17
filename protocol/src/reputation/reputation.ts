import { type Address, isSameAddress, toAddress } from "../primitives/address.ts";
import { type Hex, toHash } from "../primitives/hex.ts";
import type { AgreementFact } from "./agreement-fact.ts";
import type { Categories } from "./categories.ts";
import { ReputationError } from "./error.ts";
import { type RoleHistory, historyOf } from "./history.ts";
import { type Rates, ratesOf } from "./rates.ts";
import { type Sample, cancellationSample, completionSample, paymentSample } from "./sample.ts";
import { type Stage, stageAt } from "./stage.ts";

/** The name of this measure. Figures under one name are comparable; a change of the arithmetic changes the name. */
export const REPUTATION_MEASURE = "assay/reputation/1";

/** The moment that a reputation speaks for: the end of a block. */
export interface AsOf {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** Unix time of the block. What happened later does not count, and ages are counted to here. */
  readonly timestamp: number;
}

/** Who may rule on an agreement, and under what. */
export interface TrustedAdjudication {
  readonly adjudicator: Address;
  readonly adjudicatorConfig: Hex;
}

/** The facts to compute a party's reputation from. */
export interface PartyFacts {
  /** In any letter case. */
  readonly party: string;
  readonly asOf: AsOf;
  /** At least all agreements of the party, in any order; those of others are passed over. */
  readonly agreements: Iterable<AgreementFact>;
  /** Only agreements under one of these count. Left out, all do, also those whose parties judged themselves. */
  readonly adjudications?: readonly TrustedAdjudication[];
  /** The categories of the agreements' documents, to count each by itself; see {@link Reputation.byCategory}. */
  readonly categories?: Categories;
}

/** A party as a seller. */
export interface SellerReputation extends RoleHistory {
  /** Of the agreements that it answers for, how many it completed. */
  readonly completion: Rates;
}

/** A party as a buyer. */
export interface BuyerReputation extends RoleHistory {
  /** Of the deliveries whose reward went to one side whole, how many were paid. */
  readonly payment: Rates;
  /** Of the agreements that ended, how many it cancelled before the seller's consent. */
  readonly cancellation: Rates;
}

/** A party in both roles. */
export interface RoleReputations {
  readonly asSeller: SellerReputation;
  readonly asBuyer: BuyerReputation;
}

/** The agreements of one category, counted by themselves. */
export interface CategoryReputation extends RoleReputations {
  /** Null for agreements whose document declares none. */
  readonly category: string | null;
}

/** A party's agreements by what their documents say that they are about. */
export interface CategoryReputations {
  /** In the order of their names; agreements without a category come last. */
  readonly categories: readonly CategoryReputation[];
  /** Agreements whose document was not given: they are in the whole, and in no category. */
  readonly documentsMissing: number;
}

/** What a party's agreements say about it, with all that is needed to compute it again. */
export interface Reputation extends RoleReputations {
  readonly measure: typeof REPUTATION_MEASURE;
  readonly party: Address;
  readonly asOf: AsOf;
  /** The adjudications that counted; null when all did. */
  readonly adjudications: readonly TrustedAdjudication[] | null;
  /** Null when no categories were given. */
  readonly byCategory: CategoryReputations | null;
}

/**
 * Computes a party's reputation. A pure function: the same facts and moment give the same figures everywhere.
 *
 * @throws ValueError when an address or a hash is malformed.
 * @throws ReputationError `agreement_duplicated`, `time_malformed`.
 */
export function reputationOf(input: PartyFacts): Reputation {
  const { party, asOf, agreements, adjudications, categories } = input;
  const address = toAddress(party);
  const { timestamp } = asOf;
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
    throw new ReputationError(
      "time_malformed",
      `${timestamp} is no Unix time in seconds`,
      "Give the timestamp of the block that the facts were read at.",
    );
  }
  const counted = adjudications?.map(normalise);
  const stages = unique(agreements)
    .filter((fact) => counted === undefined || counted.some((adjudication) => isUnder(fact, adjudication)))
    .flatMap((fact) => stageAt(fact, timestamp) ?? []);
  const own = stages.filter(
    ({ fact }) => isSameAddress(fact.seller, address) || isSameAddress(fact.buyer, address),
  );
  return {
    measure: REPUTATION_MEASURE,
    party: address,
    asOf: { ...asOf, blockHash: toHash(asOf.blockHash) },
    adjudications: counted ?? null,
    ...rolesOf(address, own, timestamp),
    byCategory: categories === undefined ? null : byCategory(address, own, timestamp, categories),
  };
}

function rolesOf(party: Address, stages: readonly Stage[], at: number): RoleReputations {
  const sold = stages.filter(({ fact }) => isSameAddress(fact.seller, party));
  const bought = stages.filter(({ fact }) => isSameAddress(fact.buyer, party));
  const rates = (of: readonly Stage[], sample: (stage: Stage) => Sample | undefined): Rates =>
    ratesOf(
      of.flatMap((stage) => sample(stage) ?? []),
      at,
    );
  return {
    asSeller: { ...historyOf(sold, "buyer"), completion: rates(sold, completionSample) },
    asBuyer: {
      ...historyOf(bought, "seller"),
      payment: rates(bought, paymentSample),
      cancellation: rates(bought, cancellationSample),
    },
  };
}

function byCategory(
  party: Address,
  stages: readonly Stage[],
  at: number,
  categories: Categories,
): CategoryReputations {
  const groups = Map.groupBy(stages, ({ fact }) => categories.get(fact.agreementHash));
  const named = [...groups.keys()].filter((category) => typeof category === "string").sort();
  const none = groups.has(null) ? [null] : [];
  return {
    categories: [...named, ...none].map((category) => ({
      category,
      ...rolesOf(party, groups.get(category) ?? [], at),
    })),
    documentsMissing: groups.get(undefined)?.length ?? 0,
  };
}

function normalise({ adjudicator, adjudicatorConfig }: TrustedAdjudication): TrustedAdjudication {
  return { adjudicator: toAddress(adjudicator), adjudicatorConfig: toHash(adjudicatorConfig) };
}

function isUnder(fact: AgreementFact, { adjudicator, adjudicatorConfig }: TrustedAdjudication): boolean {
  return isSameAddress(fact.adjudicator, adjudicator) && fact.adjudicatorConfig === adjudicatorConfig;
}

/** Refuses doubles: a page that was read twice would count twice. */
function unique(agreements: Iterable<AgreementFact>): AgreementFact[] {
  const facts = [...agreements];
  const ids = new Set<Hex>();
  for (const { agreementId } of facts) {
    if (ids.has(agreementId)) {
      throw new ReputationError(
        "agreement_duplicated",
        `Agreement ${agreementId} is among the facts twice`,
        "Give each agreement once; when paging, page by id.",
      );
    }
    ids.add(agreementId);
  }
  return facts;
}
