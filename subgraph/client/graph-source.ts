import {
  AGREEMENT_FACT_FIELDS,
  factsFromEntities,
  reputationOf,
  toAddress,
  type Address,
  type Hex,
} from "@assay/protocol";
import type { AgreementRecord, AgreementSummary, AnswerBlock, HashOwner, Refusal } from "./answers.ts";
import type { ChainReader } from "./chain-reader.ts";
import { IndexError, type IndexErrorCode } from "./error.ts";
import { type Answer, createIndexClient, type IndexedBlock } from "./index-client.ts";
import { type Freshness, type Reading, requireFresh, type Source, SourceError } from "./source.ts";
import type { Entity } from "./types.ts";

const SUMMARY_FIELDS = ["id", "buyer", "seller", "reward", "status", "fundedAt"] as const;
const RECORD_FIELDS = [
  ...SUMMARY_FIELDS,
  ...(["agreementHash", "adjudicator", "adjudicatorConfig", "deliverBy", "adjudicateBy"] as const),
  ...(["noVerdictSellerBps", "salt", "acceptedAt", "submittedAt", "closedAt"] as const),
  ...(["submissionHash", "outcome"] as const),
] as const;
const HASH_FIELDS = ["id", "agreementHash", "submissionHash", "verdictHash"] as const;
const PAIR_FIELDS = [
  ...(["funded", "ended", "passed", "fundedVolume", "sellerVolume"] as const),
  ...(["firstFundedAt", "lastChangedAt"] as const),
] as const;
const TOTALS_FIELDS = [
  ...(["fundedTotal", "paidOutTotal", "lockedReward", "openCredits", "agreementCount"] as const),
  ...(["liveCount", "releasedCount", "refundedCount", "splitCount"] as const),
] as const;

const REFUSALS: Record<IndexErrorCode, Refusal> = {
  UNREACHABLE: "failed",
  REFUSED: "failed",
  MALFORMED: "failed",
  FAILING: "indexing_errors",
  BEHIND: "behind",
  OFF_CHAIN: "off_chain",
};

/**
 * The subgraph as a source.
 *
 * @param chain to find an index that is behind the chain, or on a block that the chain does not have.
 */
export function graphSource(url: string, chain: ChainReader | undefined, freshness: Freshness): Source {
  const index = createIndexClient({
    url,
    ...(chain === undefined ? {} : { hashOf: async (number: number) => (await chain.block(number))?.hash }),
  });

  /** An answer, once its block is known to be new enough. */
  const read = async <Found, Value>(
    question: Promise<Answer<Found>>,
    valueOf: (found: Found, block: AnswerBlock) => Value,
  ): Promise<Reading<Value>> => {
    try {
      const answer = await question;
      const block = await dated(answer.block, chain);
      requireFresh(block, (await chain?.head()) ?? null, freshness);
      return { value: valueOf(answer.found, block), block };
    } catch (error) {
      if (!(error instanceof IndexError)) throw error;
      throw new SourceError(REFUSALS[error.code], error.message, { cause: error });
    }
  };
  const own = (party: Address): Record<string, unknown> => ({
    or: [{ buyer: party.toLowerCase() }, { seller: party.toLowerCase() }],
  });

  return {
    name: "graph",
    agreement: (agreementId) =>
      read(index.one("agreements", agreementId, RECORD_FIELDS), (found) =>
        found === undefined ? null : recordOf(found),
      ),
    agreementsOf: (party) =>
      read(index.all("agreements", SUMMARY_FIELDS, { where: own(party) }), (found) => found.map(summaryOf)),
    latest: (limit) =>
      read(index.greatest("agreements", "fundedAt", SUMMARY_FIELDS, limit), (found) => found.map(summaryOf)),
    facts: (party) =>
      read(index.all("agreements", AGREEMENT_FACT_FIELDS, { where: own(party) }), factsFromEntities),
    ownersOf: (hash) => {
      const where = { or: [{ agreementHash: hash }, { submissionHash: hash }, { verdictHash: hash }] };
      return read(index.all("agreements", HASH_FIELDS, { where }), (found) =>
        found.flatMap((one) => ownersIn(one, hash)),
      );
    },
    reputation: (party, options) =>
      read(index.all("agreements", AGREEMENT_FACT_FIELDS, { where: own(party) }), (found, block) =>
        reputationOf({ party, asOf: asOf(block), agreements: factsFromEntities(found), ...options }),
      ),
    pairHistory: (buyer, seller) => {
      const id = `${buyer}${seller.slice(2)}`.toLowerCase() as Hex;
      return read(index.one("pairs", id, PAIR_FIELDS), (found) => ({
        funded: found?.funded ?? 0,
        ended: found?.ended ?? 0,
        passed: found?.passed ?? 0,
        fundedVolume: found?.fundedVolume ?? 0n,
        sellerVolume: found?.sellerVolume ?? 0n,
        firstFundedAt: seconds(found?.firstFundedAt),
        lastChangedAt: seconds(found?.lastChangedAt),
      }));
    },
    totals: () =>
      read(
        index.all("escrows", TOTALS_FIELDS),
        ([books]) =>
          books ?? {
            ...{ fundedTotal: 0n, paidOutTotal: 0n, lockedReward: 0n, openCredits: 0n, agreementCount: 0 },
            ...{ liveCount: 0, releasedCount: 0, refundedCount: 0, splitCount: 0 },
          },
      ),
  };
}

/** What a hash is to an agreement that it belongs to. */
export function ownersIn(
  {
    id,
    agreementHash,
    submissionHash,
    verdictHash,
  }: Readonly<Record<"id" | "agreementHash", Hex> & Record<"submissionHash" | "verdictHash", Hex | null>>,
  hash: Hex,
): HashOwner[] {
  const hashes = { agreement: agreementHash, submission: submissionHash, verdict: verdictHash } as const;
  return (["agreement", "submission", "verdict"] as const)
    .filter((role) => hashes[role] === hash)
    .map((role) => ({ agreementId: id, role }));
}

/** A block as reputations name it. */
export function asOf({ number, hash, timestamp }: AnswerBlock) {
  return { blockNumber: number, blockHash: hash, timestamp };
}

/** An indexed block with its time, which older versions of graph-node leave out. */
async function dated({ number, hash, timestamp }: IndexedBlock, chain: ChainReader | undefined) {
  const time = timestamp ?? (await chain?.block(number))?.timestamp;
  if (time === undefined)
    throw new SourceError("failed", `The index does not tell the time of block ${number}`);
  return { number, hash, timestamp: time };
}

function seconds(time: bigint | null | undefined): number | null {
  return time === null || time === undefined ? null : Number(time);
}

function summaryOf(found: Entity<"agreements", (typeof SUMMARY_FIELDS)[number]>): AgreementSummary {
  const { id, buyer, seller, reward, status, fundedAt } = found;
  return {
    ...{ agreementId: id, buyer: toAddress(buyer.id), seller: toAddress(seller.id) },
    ...{ reward, status, fundedAt: Number(fundedAt) },
  };
}

function recordOf(found: Entity<"agreements", (typeof RECORD_FIELDS)[number]>): AgreementRecord {
  const summary = summaryOf(found);
  const { buyer, seller, reward } = summary;
  const { agreementHash, adjudicatorConfig, noVerdictSellerBps, salt, submissionHash, outcome } = found;
  return {
    ...summary,
    terms: {
      ...{ buyer, seller, reward, agreementHash, adjudicatorConfig, noVerdictSellerBps, salt },
      adjudicator: toAddress(found.adjudicator),
      deliverBy: Number(found.deliverBy),
      adjudicateBy: Number(found.adjudicateBy),
    },
    acceptedAt: seconds(found.acceptedAt),
    submittedAt: seconds(found.submittedAt),
    endedAt: seconds(found.closedAt),
    ...{ submissionHash, outcome },
  };
}
