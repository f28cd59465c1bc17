import type { LogDescription } from "ethers";
import { readInterface } from "./artifacts.ts";
import { rpc, rpcBatch } from "./rpc.ts";

/** A log as JSON-RPC gives it, with the time of its block. */
export interface RawLog {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  timestamp: number;
}

/** All logs of some contracts from a block to another, in order. */
export async function readLogs(
  rpcUrl: string,
  address: string[],
  range: { from: number; to: number },
): Promise<RawLog[]> {
  const [fromBlock, toBlock] = [`0x${range.from.toString(16)}`, `0x${range.to.toString(16)}`];
  const logs = await rpc<Omit<RawLog, "timestamp">[]>(rpcUrl, "eth_getLogs", { fromBlock, toBlock, address });
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
  const blocks = await rpcBatch<{ timestamp: string }>(
    rpcUrl,
    numbers.map((number) => ({ method: "eth_getBlockByNumber", params: [number, false] })),
  );
  const times = new Map(numbers.map((number, place) => [number, Number(blocks[place]!.timestamp)]));
  return logs.map((log) => ({ ...log, timestamp: times.get(log.blockNumber)! }));
}

/** One agreement, told from its own logs only. */
interface Story {
  buyer: string;
  seller: string;
  adjudicator: string;
  reward: bigint;
  deliverBy: number;
  /** Names of its events up to the moment, `Credited` left out, and when they happened. */
  names: string[];
  times: number[];
  /** Arguments of the last event. */
  last: LogDescription["args"];
  withheld: boolean;
}

/** A log, decoded. */
export interface Event {
  parsed: LogDescription;
  timestamp: number;
  quorum: boolean;
}

export function parseLogs(logs: RawLog[], escrowAddress: string): Event[] {
  const [escrow, quorum] = [readInterface("AgreementEscrow"), readInterface("VerdictQuorum")];
  return logs.map((log) => {
    const isQuorum = log.address.toLowerCase() !== escrowAddress.toLowerCase();
    return {
      parsed: (isQuorum ? quorum : escrow).parseLog(log)!,
      timestamp: log.timestamp,
      quorum: isQuorum,
    };
  });
}

/**
 * A party's reputation, counted a second time and in the plainest way: no running state, no shared code, every
 * number by going through all stories again.
 *
 * @param at the moment (Unix time) to count for.
 * @param adjudicator counts only agreements under this one.
 */
export class Recount {
  readonly #stories: Story[];
  readonly #at: number;

  constructor(events: Event[], at: number, adjudicator?: string) {
    const past = events.filter(({ timestamp }) => timestamp <= at);
    const byAgreement = Map.groupBy(past, ({ parsed }) => String(parsed.args["agreementId"]));
    byAgreement.delete("undefined");
    this.#at = at;
    this.#stories = [...byAgreement.values()]
      .map(tell)
      .filter((story) => adjudicator === undefined || story.adjudicator === adjudicator);
  }

  seller(party: string) {
    const own = this.#stories.filter(({ seller }) => seller === party);
    const missed = (story: Story) =>
      accepted(story) &&
      !submitted(story) &&
      (ends(story, "Expired") || (!ended(story) && story.deliverBy < this.#at));
    const good = own.filter((story) => ends(story, "Released"));
    const bad = own.filter((story) => ends(story, "Refunded") || missed(story) || givenUp(story));
    const when = (story: Story) => (missed(story) ? story.deliverBy : story.times.at(-1)!);
    return { ...this.#history(own, "buyer"), completion: this.#rates(good, bad, when) };
  }

  buyer(party: string) {
    const own = this.#stories.filter(({ buyer }) => buyer === party);
    const delivered = own.filter(submitted);
    const when = (story: Story) => story.times.at(-1)!;
    return {
      ...this.#history(own, "seller"),
      payment: this.#rates(
        delivered.filter((story) => ends(story, "Released") || concededByBuyer(story)),
        delivered.filter((story) => ends(story, "Refunded") || givenUp(story)),
        when,
      ),
      cancellation: this.#rates(
        own.filter((story) => ends(story, "Cancelled")),
        own.filter((story) => ended(story) && !ends(story, "Cancelled")),
        when,
      ),
    };
  }

  #history(own: Story[], other: "buyer" | "seller") {
    const count = (is: (story: Story) => boolean): number => own.filter(is).length;
    const over = own.filter(ended);
    const perOther = [...Map.groupBy(own, (story) => story[other]).values()].map(({ length }) => length);
    const concededBySeller = (story: Story) => ends(story, "Conceded") && !concededByBuyer(story);
    return {
      counts: {
        funded: own.length,
        ended: over.length,
        accepted: over.filter(accepted).length,
        submitted: over.filter(submitted).length,
        overdue: count(
          (story) => !ended(story) && accepted(story) && !submitted(story) && story.deliverBy < this.#at,
        ),
        passed: count((story) => ends(story, "Released")),
        failed: count((story) => ends(story, "Refunded") && !story.withheld),
        undetermined: count((story) => ends(story, "Concluded")),
        withheld: count((story) => ends(story, "Refunded") && story.withheld),
        noShows: count((story) => ends(story, "Expired") && accepted(story) && !submitted(story)),
        lapsed: count((story) => ends(story, "Expired") && !accepted(story)),
        unjudged: count((story) => ends(story, "Expired") && submitted(story)),
        cancelled: count((story) => ends(story, "Cancelled")),
        concededByBuyer: count(concededByBuyer),
        concededBySeller: count((story) => concededBySeller(story) && accepted(story)),
        declined: count((story) => concededBySeller(story) && !accepted(story)),
        settled: count((story) => ends(story, "Settled")),
      },
      fundedVolume: add(own.map(({ reward }) => reward)),
      sellerVolume: add(over.map(sellerShare)),
      buyerVolume: add(over.map((story) => story.reward - sellerShare(story))),
      counterparties: perOther.length,
      mostWithOneCounterparty: Math.max(0, ...perOther),
      firstFundedAt: own.length === 0 ? null : Math.min(...own.map(({ times }) => times[0]!)),
      lastChangedAt: own.length === 0 ? null : Math.max(...own.map(lastChange)),
    };
  }

  #rates(good: Story[], bad: Story[], when: (story: Story) => number) {
    const recency = (story: Story): bigint => {
      let [age, parts] = [this.#at - when(story), 1n];
      for (; age >= HALF_LIFE; age -= HALF_LIFE) parts *= 2n;
      return (1_000_000_000n * BigInt(2 * HALF_LIFE - age)) / (BigInt(2 * HALF_LIFE) * parts);
    };
    const weighted = (weight: (story: Story) => bigint): [bigint, bigint] => [
      add(good.map(weight)),
      add([...good, ...bad].map(weight)),
    ];
    const [, count] = weighted(() => 1n);
    const [, fresh] = weighted(recency);
    const squares = add([...good, ...bad].map(({ reward }) => reward * reward));
    return {
      all: searchRate(...weighted(() => 1n), count),
      recent: searchRate(...weighted(recency), fresh * 1_000_000_000n),
      byVolume: searchRate(...weighted(({ reward }) => reward), squares),
    };
  }
}

const HALF_LIFE = 90 * 86_400;

function tell(events: Event[]): Story {
  const own = events.filter(({ parsed, quorum }) => !quorum && parsed.name !== "Credited");
  const certificate = events.find(({ parsed }) => parsed.name === "Certified");
  const [first, last] = [own[0]!.parsed, own.at(-1)!.parsed];
  const terms = first.args["terms"] as Record<"buyer" | "seller" | "adjudicator", string> &
    Record<"reward" | "deliverBy", bigint>;
  return {
    ...{ buyer: terms.buyer, seller: terms.seller, adjudicator: terms.adjudicator, reward: terms.reward },
    deliverBy: Number(terms.deliverBy),
    names: own.map(({ parsed }) => parsed.name),
    times: own.map(({ timestamp }) => timestamp),
    last: last.args,
    withheld: certificate?.parsed.args["outcome"] === 4n,
  };
}

const submitted = ({ names }: Story): boolean => names.includes("Submitted");
const accepted = (story: Story): boolean => story.names.includes("Accepted") || submitted(story);
const ended = ({ names }: Story): boolean => !["Funded", "Accepted", "Submitted"].includes(names.at(-1)!);
const ends = ({ names }: Story, name: string): boolean => names.at(-1) === name;
const concededByBuyer = (story: Story): boolean =>
  ends(story, "Conceded") && story.last["conceder"] === story.buyer;
const givenUp = (story: Story): boolean =>
  ends(story, "Conceded") && story.last["conceder"] === story.seller && accepted(story);

/** When it ended, or else when it was funded. */
const lastChange = (story: Story): number => (ended(story) ? story.times.at(-1)! : story.times[0]!);

function sellerShare(story: Story): bigint {
  if (ends(story, "Released") || concededByBuyer(story)) return story.reward;
  return (story.last.toObject()["sellerAmount"] as bigint | undefined) ?? 0n;
}

const add = (values: bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/**
 * Wilson's interval by its definition: all shares y that the observed share p does not speak against, that is
 * (p − y)² · n ≤ z² · y · (1 − y), searched for among all ten-thousandths.
 */
function searchRate(successes: bigint, total: bigint, squares: bigint) {
  if (total === 0n) return { bps: null, lowBps: 0, highBps: 10_000 };
  const isOutside = (bps: number): boolean => {
    const y = BigInt(bps);
    return (10_000n * successes - y * total) ** 2n * 625n >= 2_401n * y * (10_000n - y) * squares;
  };
  const estimate = (10_000n * successes) / total;
  const rest = (10_000n * successes) % total;
  const last = bisect(0, Number(estimate), (bps) => !isOutside(bps));
  const first = bisect(Number(estimate) + (rest === 0n ? 0 : 1), 10_000, isOutside);
  return {
    bps: Number(estimate) + (2n * rest >= total ? 1 : 0),
    lowBps: isOutside(last) ? last : last - 1,
    highBps: first,
  };
}

/** The first number from `low` to `high` for which `is` holds, given that it holds from there on; `high` if none. */
function bisect(low: number, high: number, is: (value: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
