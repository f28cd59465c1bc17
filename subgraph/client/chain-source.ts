import { zeroPadValue } from "ethers";
import {
  agreementEscrowAbi,
  decodeLifecycleEvent,
  factsFromEvents,
  interfaceOf,
  isSameAddress,
  reputationOf,
  toHash,
  verdictQuorumAbi,
  type Address,
  type AgreementFact,
  type Ending,
  type Hex,
  type LifecycleEvent,
  type Outcome,
  type Terms,
} from "@assay/protocol";
import type { AgreementRecord, AgreementSummary, AnswerBlock, PairHistory, Totals } from "./answers.ts";
import type { ChainReader, TimedChainLog, Topics } from "./chain-reader.ts";
import { asOf, ownersIn } from "./graph-source.ts";
import { type Reading, type Source, SourceError } from "./source.ts";
import type { AgreementStatus } from "./types.ts";

/** The contracts to read, and the block from which on. */
export interface Deployment {
  readonly chainId: number;
  readonly escrow: Address;
  readonly quorum: Address;
  readonly startBlock: number;
}

const escrowEvents = () => interfaceOf(agreementEscrowAbi);
const topicOf = (event: string): Hex => toHash(escrowEvents().getEvent(event)?.topicHash ?? "");
const certifiedTopic = (): Hex =>
  toHash(interfaceOf(verdictQuorumAbi).getEvent("Certified")?.topicHash ?? "");
/** Events that name a verdict. */
const RULED = ["Released", "Refunded", "Concluded"];
/** How many agreements are asked for at once. */
const IDS_AT_ONCE = 100;

const OUTCOMES: Partial<Record<Ending, Outcome>> = {
  passed: "PASS",
  failed: "FAIL",
  undetermined: "UNDETERMINED",
  withheld: "WITHHELD",
};
const RELEASED: readonly Ending[] = ["passed", "concededByBuyer"];
const SPLIT: readonly Ending[] = ["undetermined", "settled", "unjudged"];

/** What the logs of some agreements amount to. */
interface Lives {
  readonly facts: readonly AgreementFact[];
  readonly terms: ReadonlyMap<Hex, Terms>;
  readonly submissions: ReadonlyMap<Hex, Hex>;
  readonly verdicts: ReadonlyMap<Hex, Hex>;
}

/** The chain's own logs as a source: slow, and always there. */
export function chainSource(chain: ChainReader, { escrow, quorum, startBlock }: Deployment): Source {
  const pad = (account: Address): Hex => zeroPadValue(account, 32).toLowerCase() as Hex;

  /** Reads at the chain's head, once more when the head left the chain meanwhile. */
  const atHead = async <Value>(work: (head: AnswerBlock) => Promise<Value>): Promise<Reading<Value>> => {
    for (let attempt = 1; ; attempt++) {
      const block = await chain.head();
      const value = await work(block);
      if ((await chain.block(block.number))?.hash === block.hash) return { value, block };
      if (attempt === 2) throw new SourceError("failed", "The chain was reorganised while it was read");
    }
  };
  const escrowLogs = (topics: Topics, { number }: AnswerBlock): Promise<TimedChainLog[]> =>
    chain.logs({ address: escrow, topics, from: startBlock, to: number });

  /** The agreements of a party in one role, or of a pair. */
  const idsOf = async (buyer: Address | null, seller: Address | null, head: AnswerBlock): Promise<Hex[]> => {
    const parties = [buyer, seller].map((party) => (party === null ? null : pad(party)));
    const logs = await escrowLogs([topicOf("Funded"), null, ...parties], head);
    return logs.map(({ topics }) => toHash(topics[1] ?? ""));
  };

  const livesOf = async (ids: readonly Hex[], head: AnswerBlock): Promise<Lives> => {
    const logs: TimedChainLog[] = [];
    for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
      const some = ids.slice(start, start + IDS_AT_ONCE);
      logs.push(...(await escrowLogs([null, some], head)));
      const certified = [certifiedTopic(), pad(escrow), some];
      logs.push(
        ...(await chain.logs({ address: quorum, topics: certified, from: startBlock, to: head.number })),
      );
    }
    return livesIn(logs);
  };

  const livesIn = (logs: readonly TimedChainLog[]): Lives => {
    const ordered = logs.toSorted(
      (one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex,
    );
    const events: LifecycleEvent[] = [];
    const submissions = new Map<Hex, Hex>();
    const verdicts = new Map<Hex, Hex>();
    const [submitted, ruled] = [topicOf("Submitted"), RULED.map(topicOf)];
    for (const log of ordered) {
      const event = decodeLifecycleEvent(log, { escrow, quorum });
      if (event === undefined) continue;
      events.push(event);
      if (log.topics[0] === submitted)
        submissions.set(
          event.agreementId,
          toHash(escrowEvents().parseLog(log)?.args["submissionHash"] as string),
        );
      if (ruled.includes(log.topics[0] as Hex))
        verdicts.set(event.agreementId, toHash(escrowEvents().parseLog(log)?.args["verdictHash"] as string));
    }
    const terms = new Map(
      events.flatMap((event) => (event.name === "Funded" ? [[event.agreementId, event.terms] as const] : [])),
    );
    return { facts: factsFromEvents(events), terms, submissions, verdicts };
  };

  const livesOfParty = async (party: Address, head: AnswerBlock): Promise<Lives> => {
    const [bought, sold] = [await idsOf(party, null, head), await idsOf(null, party, head)];
    return livesOf([...new Set([...bought, ...sold])], head);
  };

  return {
    name: "chain",
    agreement: (agreementId) =>
      atHead(async (head) => {
        const lives = await livesOf([agreementId], head);
        const [fact] = lives.facts;
        return fact === undefined ? null : recordOf(fact, lives);
      }),
    agreementsOf: (party) =>
      atHead(async (head) =>
        (await livesOfParty(party, head)).facts
          .map(summaryOf)
          .sort((one, other) => (one.agreementId < other.agreementId ? -1 : 1)),
      ),
    latest: (limit) =>
      atHead(async (head) => {
        const ids = (await escrowLogs([topicOf("Funded")], head)).map(({ topics }) =>
          toHash(topics[1] ?? ""),
        );
        const { facts } = await livesOf(ids.slice(-limit), head);
        return facts.map(summaryOf).sort((one, other) => other.fundedAt - one.fundedAt);
      }),
    facts: (party) =>
      atHead(async (head) =>
        (await livesOfParty(party, head)).facts.toSorted((one, other) =>
          one.agreementId < other.agreementId ? -1 : 1,
        ),
      ),
    ownersOf: (hash) =>
      atHead(async (head) => {
        const { facts, submissions, verdicts } = livesIn(await escrowLogs([], head));
        return facts
          .flatMap(({ agreementId: id, agreementHash }) =>
            ownersIn(
              {
                ...{ id, agreementHash },
                submissionHash: submissions.get(id) ?? null,
                verdictHash: verdicts.get(id) ?? null,
              },
              hash,
            ),
          )
          .sort((one, other) => (one.agreementId < other.agreementId ? -1 : 1));
      }),
    reputation: (party, options) =>
      atHead(async (head) => {
        const { facts } = await livesOfParty(party, head);
        return reputationOf({ party, asOf: asOf(head), agreements: facts, ...options });
      }),
    pairHistory: (buyer, seller) =>
      atHead(async (head) => pairOf((await livesOf(await idsOf(buyer, seller, head), head)).facts)),
    totals: () =>
      atHead(async (head) => {
        const logs = await escrowLogs([], head);
        const certified = { address: quorum, topics: [certifiedTopic(), pad(escrow)] };
        logs.push(...(await chain.logs({ ...certified, from: startBlock, to: head.number })));
        return totalsOf(livesIn(logs).facts, openCreditsIn(logs));
      }),
  };

  function openCreditsIn(logs: readonly TimedChainLog[]): bigint {
    let open = 0n;
    for (const log of logs) {
      if (!isSameAddress(log.address as Address, escrow)) continue;
      const parsed = escrowEvents().parseLog(log);
      if (parsed?.name === "Credited") open += parsed.args["amount"] as bigint;
      if (parsed?.name === "Withdrawn") open -= parsed.args["amount"] as bigint;
    }
    return open;
  }
}

function statusOf({ end, submittedAt, acceptedAt }: AgreementFact): AgreementStatus {
  if (end === null) return submittedAt !== null ? "SUBMITTED" : acceptedAt !== null ? "ACCEPTED" : "FUNDED";
  if (RELEASED.includes(end.as)) return "RELEASED";
  return SPLIT.includes(end.as) ? "SPLIT" : "REFUNDED";
}

function summaryOf(fact: AgreementFact): AgreementSummary {
  const { agreementId, buyer, seller, reward, fundedAt } = fact;
  return { agreementId, buyer, seller, reward, status: statusOf(fact), fundedAt };
}

function recordOf(fact: AgreementFact, { terms, submissions }: Lives): AgreementRecord {
  const { agreementId, acceptedAt, submittedAt, end } = fact;
  const own = terms.get(agreementId);
  if (own === undefined) throw new SourceError("failed", `The chain has no terms of ${agreementId}`);
  return {
    ...summaryOf(fact),
    terms: own,
    ...{ acceptedAt, submittedAt, endedAt: end?.at ?? null },
    submissionHash: submissions.get(agreementId) ?? null,
    outcome: end === null ? null : (OUTCOMES[end.as] ?? null),
  };
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

function pairOf(facts: readonly AgreementFact[]): PairHistory {
  const ends = facts.flatMap(({ end }) => end ?? []);
  const times = facts.map(({ fundedAt }) => fundedAt);
  return {
    funded: facts.length,
    ended: ends.length,
    passed: ends.filter(({ as }) => as === "passed").length,
    fundedVolume: sum(facts.map(({ reward }) => reward)),
    sellerVolume: sum(ends.map(({ sellerAmount }) => sellerAmount)),
    firstFundedAt: facts.length === 0 ? null : Math.min(...times),
    lastChangedAt: facts.length === 0 ? null : Math.max(...times, ...ends.map(({ at }) => at)),
  };
}

function totalsOf(facts: readonly AgreementFact[], openCredits: bigint): Totals {
  const rewards = (some: readonly AgreementFact[]): bigint => sum(some.map(({ reward }) => reward));
  const live = facts.filter(({ end }) => end === null);
  const [fundedTotal, lockedReward] = [rewards(facts), rewards(live)];
  const inStatus = (status: AgreementStatus): number =>
    facts.filter((fact) => statusOf(fact) === status).length;
  return {
    ...{ fundedTotal, lockedReward, openCredits, paidOutTotal: fundedTotal - lockedReward - openCredits },
    ...{ agreementCount: facts.length, liveCount: live.length, releasedCount: inStatus("RELEASED") },
    ...{ refundedCount: inStatus("REFUNDED"), splitCount: inStatus("SPLIT") },
  };
}
