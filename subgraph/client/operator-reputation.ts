import {
  ENDINGS,
  REPUTATION_MEASURE,
  toAddress,
  toHash,
  type CategoryReputations,
  type HistoryCounts,
  type Rate,
  type Rates,
  type Reputation,
  type RoleHistory,
  type RoleReputations,
} from "@assay/protocol";
import { SourceError } from "./source.ts";
import { amount, count, list, malformed, object, seconds, text, type Json } from "./operator-values.ts";

/**
 * The reputation in an operator's answer.
 *
 * @throws SourceError `failed` when the answer is not shaped as the API says.
 */
export function reputationIn(answer: Json): Reputation {
  if (answer["measure"] !== REPUTATION_MEASURE) throw malformed(`measure ${REPUTATION_MEASURE}`);
  const asOf = object(answer["asOf"], "block");
  const { adjudications, byCategory } = answer;
  return {
    measure: REPUTATION_MEASURE,
    party: toAddress(text(answer["party"])),
    asOf: {
      blockNumber: count(asOf["blockNumber"]),
      blockHash: toHash(text(asOf["blockHash"])),
      timestamp: seconds(asOf["at"]) ?? 0,
    },
    adjudications:
      adjudications === null
        ? null
        : list(adjudications).map(({ adjudicator, adjudicatorConfig }) => ({
            adjudicator: toAddress(text(adjudicator)),
            adjudicatorConfig: toHash(text(adjudicatorConfig)),
          })),
    ...rolesOf(answer),
    byCategory: byCategory === null ? null : categoriesIn(object(byCategory, "categories")),
  };
}

/**
 * Refuses figures by category that leave agreements out: whoever asks may hold the documents that the operator lacks.
 *
 * @throws SourceError `cannot_tell`
 */
export function requireCategories({ byCategory }: Reputation): void {
  if (byCategory === null) throw malformed("categories");
  const { documentsMissing } = byCategory;
  if (documentsMissing > 0)
    throw new SourceError(
      "cannot_tell",
      `The operator lacks the documents of ${documentsMissing} agreements`,
    );
}

function categoriesIn(answer: Json): CategoryReputations {
  return {
    categories: list(answer["categories"]).map((one) => ({
      category: one["category"] === null ? null : text(one["category"]),
      ...rolesOf(one),
    })),
    documentsMissing: count(answer["documentsMissing"]),
  };
}

function rolesOf(answer: Json): RoleReputations {
  const [seller, buyer] = [object(answer["asSeller"], "seller"), object(answer["asBuyer"], "buyer")];
  return {
    asSeller: { ...historyOf(seller), completion: ratesOf(seller["completion"]) },
    asBuyer: {
      ...historyOf(buyer),
      payment: ratesOf(buyer["payment"]),
      cancellation: ratesOf(buyer["cancellation"]),
    },
  };
}

function historyOf(role: Json): RoleHistory {
  const counts = object(role["counts"], "counts");
  const names = ["funded", "ended", "accepted", "submitted", "overdue", ...ENDINGS] as const;
  return {
    counts: Object.fromEntries(names.map((name) => [name, count(counts[name])])) as unknown as HistoryCounts,
    fundedVolume: amount(role["fundedVolume"]),
    sellerVolume: amount(role["sellerVolume"]),
    buyerVolume: amount(role["buyerVolume"]),
    counterparties: count(role["counterparties"]),
    mostWithOneCounterparty: count(role["mostWithOneCounterparty"]),
    firstFundedAt: seconds(role["firstFundedAt"]),
    lastChangedAt: seconds(role["lastChangedAt"]),
  };
}

function ratesOf(value: unknown): Rates {
  const rates = object(value, "rates");
  const rate = (name: string): Rate => {
    const { bps, lowBps, highBps } = object(rates[name], "rate");
    return { bps: bps === null ? null : count(bps), lowBps: count(lowBps), highBps: count(highBps) };
  };
  return { all: rate("all"), recent: rate("recent"), byVolume: rate("byVolume") };
}
