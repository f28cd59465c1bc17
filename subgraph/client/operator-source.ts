import { isSameAddress, OUTCOMES, toAddress, toHash, type Address, type Terms } from "@assay/protocol";
import type { AgreementRecord, AgreementSummary, AnswerBlock } from "./answers.ts";
import type { ChainReader } from "./chain-reader.ts";
import type { Deployment } from "./chain-source.ts";
import { ENUMS } from "./entities.ts";
import { reputationIn, requireCategories } from "./operator-reputation.ts";
import {
  amount,
  checked,
  count,
  list,
  malformed,
  object,
  seconds,
  text,
  type Json,
} from "./operator-values.ts";
import { isObject } from "./parse.ts";
import { type Freshness, type Reading, requireFresh, type Source, SourceError } from "./source.ts";
import type { AgreementStatus } from "./types.ts";

const TIMEOUT_MILLISECONDS = 15_000;
/** The most that an operator returns at once. */
const PAGE = 200;
/** The escrow's events that end an agreement. */
const ENDS = ["Released", "Refunded", "Concluded", "Cancelled", "Conceded", "Settled", "Expired"];

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
      const counted = adjudications === undefined ? "all" : "quorum";
      const answer = await ask(
        `v1/reputation/${party}?adjudications=${counted}&byCategory=${String(categories !== undefined)}`,
      );
      const { value, block } = await reading(answer, "finalBlock", () => reputationIn(answer));
      if (!isSameAddress(value.party, party))
        throw new SourceError("failed", `It answers for ${value.party}`);
      if (JSON.stringify(value.adjudications) !== JSON.stringify(adjudications ?? null))
        throw new SourceError("cannot_tell", "The operator counts agreements of its own quorum, or all");
      if (categories !== undefined) requireCategories(value);
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
