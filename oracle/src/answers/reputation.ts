import {
  factsFromEvents,
  parseVerdictRecord,
  toAddress,
  toHash,
  type Address,
  type AgreementFact,
  type HireDecision,
  type LifecycleEvent,
  type Reputation,
  type RoleHistory,
} from "@assay/protocol";
import type { DatedLog, PartyLife, Store } from "../store/index.ts";
import type { HireView } from "./schemas/hire.ts";
import type { ReputationView } from "./schemas/reputation.ts";
import { caip10Of, type Source } from "./schemas/values.ts";
import { fromSeconds } from "./time.ts";

/** What a party's agreements amount to, as this operator's store knows them at a final block. */
export interface PartyRecord {
  readonly facts: readonly AgreementFact[];
  /** Refunds whose verdict record is not here, so that nobody can tell FAIL from WITHHELD. */
  readonly refundsOfUnknownOutcome: number;
}

/** Reads everything that the escrow logged up to a final block about a party's agreements. */
export async function partyRecord(store: Store, party: Address, finalBlock: number): Promise<PartyRecord> {
  let refundsOfUnknownOutcome = 0;
  const events: LifecycleEvent[] = [];
  for (const life of await store.lives(party)) {
    for (const log of life.logs) {
      if (log.blockNumber > finalBlock) break;
      if (log.name === "Refunded") {
        const certified = await certifiedEvent(store, log);
        if (certified === null) refundsOfUnknownOutcome++;
        else events.push(certified);
      }
      const event = eventOf(life, log);
      if (event !== null) events.push(event);
    }
  }
  return { facts: factsFromEvents(events), refundsOfUnknownOutcome };
}

/** The escrow knows one refund; whether it was for a FAIL or a WITHHELD stands in the verdict record. */
async function certifiedEvent(store: Store, log: DatedLog): Promise<LifecycleEvent | null> {
  const stored = await store.verdict(toHash(log.data["verdictHash"] ?? ""));
  if (stored === null) return null;
  const { outcome } = parseVerdictRecord(stored.record);
  return { name: "Certified", agreementId: log.agreementId, timestamp: log.timestamp, outcome };
}

function eventOf({ agreement }: PartyLife, log: DatedLog): LifecycleEvent | null {
  const common = { agreementId: log.agreementId, timestamp: log.timestamp };
  switch (log.name) {
    case "Funded":
      return { ...common, name: log.name, terms: agreement.terms };
    case "Accepted":
    case "Submitted":
    case "Released":
    case "Refunded":
    case "Cancelled":
      return { ...common, name: log.name };
    case "Concluded":
    case "Settled":
    case "Expired":
      return { ...common, name: log.name, sellerAmount: BigInt(log.data["sellerAmount"] ?? "0") };
    case "Conceded":
      return { ...common, name: log.name, conceder: toAddress(log.data["conceder"] ?? "") };
    default:
      return null;
  }
}

/** A party's reputation as the API shows it. */
export function reputationView(options: {
  readonly reputation: Reputation;
  readonly refundsOfUnknownOutcome: number;
  readonly source: Source;
  readonly chainId: number;
}): ReputationView {
  const { reputation, refundsOfUnknownOutcome, source, chainId } = options;
  return {
    source,
    measure: reputation.measure,
    party: reputation.party,
    caip10: caip10Of(chainId, reputation.party),
    asOf: asOfView(reputation),
    adjudications: adjudicationsView(reputation),
    ...rolesView(reputation),
    byCategory: categoriesView(reputation),
    refundsOfUnknownOutcome,
  };
}

/** A decision as the API shows it, with what it rests on. */
export function hireView(decision: HireDecision, reputation: Reputation, source: Source): HireView {
  const { noShows, overdue } = reputation.asSeller.counts;
  return {
    source,
    asOf: asOfView(reputation),
    ...decision,
    reasons: [...decision.reasons],
    cautions: [...decision.cautions],
    adjudications: adjudicationsView(reputation),
    ...{ noShows, overdue },
  };
}

function asOfView({ asOf }: Reputation): ReputationView["asOf"] {
  return { blockNumber: asOf.blockNumber, blockHash: asOf.blockHash, at: fromSeconds(asOf.timestamp) };
}

function adjudicationsView({ adjudications }: Reputation): ReputationView["adjudications"] {
  return adjudications === null ? null : adjudications.map((item) => ({ ...item }));
}

function categoriesView({ byCategory }: Reputation): ReputationView["byCategory"] {
  if (byCategory === null) return null;
  const { categories, documentsMissing } = byCategory;
  return {
    categories: categories.map((one) => ({ category: one.category, ...rolesView(one) })),
    documentsMissing,
  };
}

function rolesView({
  asSeller,
  asBuyer,
}: Pick<Reputation, "asSeller" | "asBuyer">): Pick<ReputationView, "asSeller" | "asBuyer"> {
  return {
    asSeller: { ...historyView(asSeller), completion: asSeller.completion },
    asBuyer: { ...historyView(asBuyer), payment: asBuyer.payment, cancellation: asBuyer.cancellation },
  };
}

function historyView(history: RoleHistory) {
  const instant = (seconds: number | null): string | null => (seconds === null ? null : fromSeconds(seconds));
  return {
    counts: { ...history.counts },
    fundedVolume: history.fundedVolume.toString(),
    sellerVolume: history.sellerVolume.toString(),
    buyerVolume: history.buyerVolume.toString(),
    counterparties: history.counterparties,
    mostWithOneCounterparty: history.mostWithOneCounterparty,
    firstFundedAt: instant(history.firstFundedAt),
    lastChangedAt: instant(history.lastChangedAt),
  };
}
