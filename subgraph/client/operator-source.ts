import {
  ENDINGS,
  isSameAddress,
  OUTCOMES,
  REPUTATION_MEASURE,
  toAddress,
  toHash,
  ValueError,
  type Address,
  type BuyerReputation,
  type HistoryCounts,
  type Rate,
  type Rates,
  type Reputation,
  type RoleHistory,
  type SellerReputation,
  type Terms,
} from "@assay/protocol";
import type { AgreementRecord, AgreementSummary, AnswerBlock } from "./answers.ts";
import type { ChainReader } from "./chain-reader.ts";
import type { Deployment } from "./chain-source.ts";
import { ENUMS } from "./entities.ts";
import { isObject } from "./parse.ts";
import { type Freshness, type Reading, requireFresh, type Source, SourceError } from "./source.ts";
import type { AgreementStatus } from "./types.ts";

const TIMEOUT_MILLISECONDS = 15_000;
/** The most that an operator returns at once. */
const PAGE = 200;
/** The escrow's events that end an agreement. */
const ENDS = ["Released", "Refunded", "Concluded", "Cancelled", "Conceded", "Settled", "Expired"];

type Json = Readonly<Record<string, unknown>>;

/**
 * An operator's HTTP API as a source: what its own store holds. It keeps no books of the escrow and no sums for pairs.
 *
 * @param deployment whose escrow it must answer for.
 */
export function operatorSource(
  url: string,
  deployment: Deployment,
  chain: ChainReader | undefined,
  freshness: Freshness,
): Source {
  const cannot = (what: string): Promise<never> =>
    Promise.reject(new SourceError("cannot_tell", `An operator keeps no ${what}`));

  const ask = async (path: string): Promise<Json> => {
    const answer = await fetchJson(new URL(path, url.endsWith("/") ? url : `${url}/`));
    const source = object(answer["source"], "source");
    const { caip2, escrow } = source;
    if (
      caip2 !== `eip155:${deployment.chainId}` ||
      !isSameAddress(text(escrow) as Address, deployment.escrow)
    )
      throw new SourceError("failed", `It answers for escrow ${String(escrow)} on ${String(caip2)}`);
    return answer;
  };
  /** The newest block that the operator had read. */
  const blockOf = async (answer: Json, member: "block" | "finalBlock"): Promise<AnswerBlock> => {
    const named = object(answer["source"], "source")[member];
    if (!isObject(named)) throw new SourceError("behind", "The operator has read no block yet");
    const number = count(named["number"]);
    const known = await chain?.block(number);
    if (chain !== undefined && known?.hash !== named["hash"])
      throw new SourceError("off_chain", `The chain has no block ${number} with the operator's hash`);
    const block = {
      ...{ number, hash: toHash(text(named["hash"])) },
      timestamp: known?.timestamp ?? seconds(named["at"]) ?? (await finalTime(answer)),
    };
    return block;
  };
  const finalTime = (answer: Json): Promise<number> => {
    const { finalBlock } = object(answer["source"], "source");
    const time = isObject(finalBlock) ? seconds(finalBlock["at"]) : null;
    if (time === null) throw new SourceError("behind", "The operator knows no final block yet");
    return Promise.resolve(time);
  };
  const reading = async <Value>(
    answer: Json,
    member: "block" | "finalBlock",
    value: () => Value,
  ): Promise<Reading<Value>> => {
    const block = await blockOf(answer, member);
    requireFresh(block, (await chain?.head()) ?? null, freshness);
    return { value: checked(value), block };
  };

  return {
    name: "operator",
    agreement: async (agreementId) => {
      const answer = await ask(`v1/agreements/${agreementId}`);
      return reading(answer, "block", () => recordOf(answer));
    },
    agreementsOf: async (party) => {
      const found: AgreementSummary[] = [];
      for (let cursor = ""; ;) {
        const answer = await ask(`v1/agreements?party=${party}&limit=${PAGE}${cursor}`);
        found.push(...checked(() => list(answer["agreements"]).map(summaryOf)));
        if (answer["cursor"] === null) {
          found.sort((one, other) => (one.agreementId < other.agreementId ? -1 : 1));
          return reading(answer, "block", () => found);
        }
        cursor = `&cursor=${encodeURIComponent(text(answer["cursor"]))}`;
      }
    },
    latest: async (limit) => {
      const answer = await ask(`v1/agreements?limit=${Math.min(limit, PAGE)}`);
      return reading(answer, "block", () => list(answer["agreements"]).map(summaryOf));
    },
    facts: () => cannot("facts to count from"),
    ownersOf: () => cannot("list of hashes"),
    reputation: async (party, { adjudications, categories }) => {
      if (categories !== undefined) return cannot("categories");
      const answer = await ask(
        `v1/reputation/${party}?adjudications=${adjudications === undefined ? "all" : "quorum"}`,
      );
      const { value, block } = await reading(answer, "finalBlock", () => reputationIn(answer));
      if (!isSameAddress(value.party, party))
        throw new SourceError("failed", `It answers for ${value.party}`);
      if (JSON.stringify(value.adjudications) !== JSON.stringify(adjudications ?? null))
        throw new SourceError("cannot_tell", "The operator counts agreements of its own quorum, or all");
      return { value, block };
    },
    pairHistory: () => cannot("sums for pairs"),
    totals: () => cannot("books of the escrow"),
  };
}

async function fetchJson(url: URL): Promise<Json> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
    if (response.status === 404)
      throw new SourceError("cannot_tell", `The operator at ${url.origin} does not know of it`);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return object(await response.json(), "an answer");
  } catch (cause) {
    if (cause instanceof SourceError) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new SourceError("failed", `The operator at ${url.origin} gives no answer: ${said}`, { cause });
  }
}

/** Values that are none of their kind make the whole answer unusable. */
function checked<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof ValueError)) throw cause;
    throw new SourceError("failed", `The operator's answer is malformed: ${cause.message}`, { cause });
  }
}

function malformed(what: string): SourceError {
  return new SourceError("failed", `The operator's answer is malformed: it has no ${what}`);
}

function object(value: unknown, what: string): Json {
  if (isObject(value)) return value;
  throw malformed(what);
}

function list(value: unknown): Json[] {
  if (!Array.isArray(value)) throw malformed("list");
  return value.map((item) => object(item, "list of objects"));
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw malformed("text where there should be one");
}

function count(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw malformed("count where there should be one");
}

function amount(value: unknown): bigint {
  if (typeof value === "string" && /^\d{1,78}$/.test(value)) return BigInt(value);
  throw malformed("amount where there should be one");
}

/** Unix seconds of an ISO 8601 instant; null for null. */
function seconds(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  const time = Date.parse(text(value));
  if (Number.isNaN(time)) throw malformed("instant where there should be one");
  return Math.floor(time / 1000);
}

function summaryOf(item: Json): AgreementSummary {
  const status = text(item["escrowStatus"]).toUpperCase() as AgreementStatus;
  if (!(ENUMS.AgreementStatus as readonly string[]).includes(status)) throw malformed("status that exists");
  const fundedAt = seconds(item["fundedAt"]);
  if (fundedAt === null) throw malformed("time of funding");
  return {
    agreementId: toHash(text(item["agreementId"])),
    buyer: toAddress(text(item["buyer"])),
    seller: toAddress(text(item["seller"])),
    reward: amount(item["reward"]),
    ...{ status, fundedAt },
  };
}

function recordOf(answer: Json): AgreementRecord {
  const events = list(answer["events"]);
  const timeOf = (...names: string[]): number | null =>
    seconds(events.find(({ name }) => names.includes(String(name)))?.["at"]);
  const submitted = timeOf("Submitted");
  const newest = list(answer["submissions"]).at(-1);
  const { outcome } = answer;
  if (outcome !== null && !(OUTCOMES as readonly unknown[]).includes(outcome))
    throw malformed("outcome that exists");
  return {
    ...summaryOf(answer),
    terms: termsOf(object(answer["terms"], "terms")),
    acceptedAt: timeOf("Accepted") ?? submitted,
    submittedAt: submitted,
    endedAt: timeOf(...ENDS),
    submissionHash: newest === undefined ? null : toHash(text(newest["submissionHash"])),
    // What this operator found is what the escrow did only once the escrow did it.
    outcome:
      timeOf("Released", "Refunded", "Concluded") === null ? null : (outcome as AgreementRecord["outcome"]),
  };
}

function termsOf(terms: Json): Terms {
  return {
    buyer: toAddress(text(terms["buyer"])),
    seller: toAddress(text(terms["seller"])),
    reward: amount(terms["reward"]),
    agreementHash: toHash(text(terms["agreementHash"])),
    adjudicator: toAddress(text(terms["adjudicator"])),
    adjudicatorConfig: toHash(text(terms["adjudicatorConfig"])),
    deliverBy: count(terms["deliverBy"]),
    adjudicateBy: count(terms["adjudicateBy"]),
    noVerdictSellerBps: count(terms["noVerdictSellerBps"]),
    salt: amount(terms["salt"]),
  };
}

function reputationIn(answer: Json): Reputation {
  if (answer["measure"] !== REPUTATION_MEASURE) throw malformed(`measure ${REPUTATION_MEASURE}`);
  const asOf = object(answer["asOf"], "block");
  const [seller, buyer] = [object(answer["asSeller"], "seller"), object(answer["asBuyer"], "buyer")];
  const { adjudications } = answer;
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
    asSeller: { ...historyOf(seller), completion: ratesOf(seller["completion"]) } satisfies SellerReputation,
    asBuyer: {
      ...historyOf(buyer),
      payment: ratesOf(buyer["payment"]),
      cancellation: ratesOf(buyer["cancellation"]),
    } satisfies BuyerReputation,
    byCategory: null,
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
