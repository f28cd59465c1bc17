import type { ChainLog } from "./logs.ts";

/**
 * What the index must hold, counted a second time from the logs alone: first each agreement's life as a whole, then
 * sums over lives. The mappings count step by step; that both agree is what the tests show.
 *
 * Keys are the index's collections, values their entities, numbers as GraphQL shows them.
 */
export type Recount = Record<string, Entity[]>;
export type Entity = Record<string, string | number | null>;

export function recount(logs: ChainLog[], escrow: string): Recount {
  const lives = readLives(logs, escrow);
  const credits = readCredits(logs);
  return {
    agreements: lives.map(showLife),
    escrows: lives.length === 0 ? [] : [keepBooks(lives, credits, escrow)],
    parties: countParties(lives),
    histories: countHistories(lives),
    pairs: countPairs(lives),
    credits: showCredits(credits, escrow),
    operators: countOperators(logs),
    logs: logs.map(({ id, logIndex, blockNumber, timestamp, transactionHash }) => ({
      ...{ id, logIndex, transactionHash },
      blockNumber: String(blockNumber),
      timestamp: String(timestamp),
    })),
  };
}

type Status = "FUNDED" | "ACCEPTED" | "SUBMITTED" | "RELEASED" | "REFUNDED" | "SPLIT";

/** One agreement from its first log to its last. */
interface Life {
  id: string;
  buyer: string;
  seller: string;
  reward: bigint;
  fundedAt: number;
  endedAt: number | null;
  eventCount: number;
  accepted: boolean;
  submitted: boolean;
  status: Status;
  cause: string | null;
  outcome: string | null;
  /** The history's field that counts the end; null while live. */
  end: string | null;
  sellerAmount: bigint;
}

function readLives(logs: ChainLog[], escrow: string): Life[] {
  const outcomes = new Map<unknown, unknown>();
  const lives = new Map<string, ChainLog[]>();
  for (const log of logs) {
    const { agreementId } = log.args;
    if (log.name === "Certified" && log.args["escrow"] === escrow)
      outcomes.set(agreementId, log.args["outcome"]);
    if (log.contract !== "escrow" || log.name === "Withdrawn") continue;
    const life = lives.get(String(agreementId)) ?? [];
    life.push(log);
    lives.set(String(agreementId), life);
  }
  return [...lives].map(([id, own]) => readLife(id, own, outcomes.get(id) === 4n));
}

function readLife(id: string, logs: ChainLog[], withheld: boolean): Life {
  const find = (name: string): ChainLog | undefined => logs.find((log) => log.name === name);
  const { buyer, seller, reward } = find("Funded")!.args["terms"] as {
    buyer: string;
    seller: string;
    reward: bigint;
  };
  const submitted = find("Submitted") !== undefined;
  const accepted = submitted || find("Accepted") !== undefined;
  // A credit is the token's doing, not a step of the agreement.
  const last = logs.findLast(({ name }) => name !== "Credited")!;
  const share = (last.args["sellerAmount"] as bigint | undefined) ?? 0n;

  type End = Pick<Life, "status" | "cause" | "outcome" | "end" | "sellerAmount">;
  const ended = (
    status: Status,
    cause: string,
    end: string,
    sellerAmount: bigint,
    outcome: string | null = null,
  ): End => ({
    ...{ status, cause, end, sellerAmount, outcome },
  });
  const readEnd = (): End => {
    switch (last.name) {
      case "Released":
        return ended("RELEASED", "VERDICT", "passed", reward, "PASS");
      case "Refunded":
        return withheld
          ? ended("REFUNDED", "VERDICT", "withheld", 0n, "WITHHELD")
          : ended("REFUNDED", "VERDICT", "failed", 0n, "FAIL");
      case "Concluded":
        return ended("SPLIT", "VERDICT", "undetermined", share, "UNDETERMINED");
      case "Cancelled":
        return ended("REFUNDED", "CANCELLED", "cancelled", 0n);
      case "Conceded":
        return last.args["conceder"] === buyer
          ? ended("RELEASED", "CONCEDED", "concededByBuyer", reward)
          : ended("REFUNDED", "CONCEDED", accepted ? "concededBySeller" : "declined", 0n);
      case "Settled":
        return ended("SPLIT", "SETTLED", "settled", share);
      case "Expired":
        return submitted
          ? ended("SPLIT", "NO_VERDICT", "unjudged", share)
          : ended("REFUNDED", "NO_SUBMISSION", accepted ? "noShows" : "lapsed", 0n);
      default: {
        const status = submitted ? "SUBMITTED" : accepted ? "ACCEPTED" : "FUNDED";
        return { status, cause: null, outcome: null, end: null, sellerAmount: 0n };
      }
    }
  };
  const end = readEnd();
  return {
    ...{ id, buyer, seller, reward, accepted, submitted },
    fundedAt: find("Funded")!.timestamp,
    eventCount: logs.length,
    ...end,
    endedAt: end.end === null ? null : last.timestamp,
  };
}

function showLife(life: Life): Entity {
  const { id, status, cause, outcome, end, reward, sellerAmount, eventCount } = life;
  return {
    ...{ id, status, cause, outcome, eventCount },
    reward: String(reward),
    sellerAmount: end === null ? null : String(sellerAmount),
    buyerAmount: end === null ? null : String(reward - sellerAmount),
  };
}

interface CreditSums {
  credited: bigint;
  withdrawn: bigint;
}

function readCredits(logs: ChainLog[]): Map<string, CreditSums> {
  const credits = new Map<string, CreditSums>();
  for (const { name, args } of logs) {
    if (name !== "Credited" && name !== "Withdrawn") continue;
    const owner = String(args["creditor"]);
    const credit = credits.get(owner) ?? { credited: 0n, withdrawn: 0n };
    credit[name === "Credited" ? "credited" : "withdrawn"] += args["amount"] as bigint;
    credits.set(owner, credit);
  }
  return credits;
}

function showCredits(credits: Map<string, CreditSums>, escrow: string): Entity[] {
  return [...credits].map(([owner, { credited, withdrawn }]) => ({
    id: escrow + owner.slice(2),
    open: String(credited - withdrawn),
    credited: String(credited),
    withdrawn: String(withdrawn),
  }));
}

const sum = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

function keepBooks(lives: Life[], credits: Map<string, CreditSums>, escrow: string): Entity {
  const rewards = (some: Life[]): bigint => sum(some.map(({ reward }) => reward));
  const locked = rewards(lives.filter(({ end }) => end === null));
  const open = sum([...credits.values()].map(({ credited, withdrawn }) => credited - withdrawn));
  const inStatus = (wanted: Status): number => lives.filter(({ status }) => status === wanted).length;
  return {
    id: escrow,
    fundedTotal: String(rewards(lives)),
    paidOutTotal: String(rewards(lives) - locked - open),
    lockedReward: String(locked),
    openCredits: String(open),
    agreementCount: lives.length,
    liveCount: lives.filter(({ end }) => end === null).length,
    releasedCount: inStatus("RELEASED"),
    refundedCount: inStatus("REFUNDED"),
    splitCount: inStatus("SPLIT"),
  };
}

/** The ways of ending that a history tells apart. */
const ENDS = [
  ...["passed", "failed", "undetermined", "withheld", "noShows", "lapsed", "unjudged"],
  ...["cancelled", "concededByBuyer", "concededBySeller", "declined", "settled"],
];

const rewardsOf = (lives: Life[]): string => String(sum(lives.map(({ reward }) => reward)));
const first = (times: number[]): string => String(Math.min(...times));
const latest = (times: number[]): string => String(Math.max(...times));

function countParties(lives: Life[]): Entity[] {
  return [...new Set(lives.flatMap(({ buyer, seller }) => [buyer, seller]))].map((id) => {
    const bought = lives.filter(({ buyer }) => buyer === id);
    const sold = lives.filter(({ seller }) => seller === id);
    const fundings = [...bought, ...sold].map(({ fundedAt }) => fundedAt);
    return {
      ...{ id, boughtCount: bought.length, soldCount: sold.length },
      ...{ boughtVolume: rewardsOf(bought), soldVolume: rewardsOf(sold) },
      ...{ firstFundedAt: first(fundings), lastFundedAt: latest(fundings) },
    };
  });
}

function countHistories(lives: Life[]): Entity[] {
  return [...new Set(lives.flatMap(({ buyer, seller }) => [buyer, seller]))].flatMap((party) => [
    countHistory(
      `0x01${party.slice(2)}`,
      lives.filter(({ buyer }) => buyer === party),
    ),
    countHistory(
      `0x02${party.slice(2)}`,
      lives.filter(({ seller }) => seller === party),
    ),
  ]);
}

function countHistory(id: string, lives: Life[]): Entity {
  const ended = lives.filter(({ end }) => end !== null);
  return {
    id,
    ended: ended.length,
    accepted: ended.filter((life) => life.accepted).length,
    submitted: ended.filter((life) => life.submitted).length,
    ...Object.fromEntries(ENDS.map((field) => [field, lives.filter(({ end }) => end === field).length])),
    sellerVolume: String(sum(ended.map(({ sellerAmount }) => sellerAmount))),
    buyerVolume: String(sum(ended.map(({ reward, sellerAmount }) => reward - sellerAmount))),
    lastEndedAt: ended.length === 0 ? null : latest(ended.map(({ endedAt }) => endedAt!)),
  };
}

function countPairs(lives: Life[]): Entity[] {
  const pairs = Map.groupBy(lives, ({ buyer, seller }) => buyer + seller.slice(2));
  return [...pairs].map(([id, own]) => {
    const ended = own.filter(({ end }) => end !== null);
    const fundings = own.map(({ fundedAt }) => fundedAt);
    return {
      ...{ id, funded: own.length, ended: ended.length },
      passed: own.filter(({ end }) => end === "passed").length,
      fundedVolume: rewardsOf(own),
      sellerVolume: String(sum(ended.map(({ sellerAmount }) => sellerAmount))),
      firstFundedAt: first(fundings),
      lastChangedAt: latest([...fundings, ...ended.map(({ endedAt }) => endedAt!)]),
    };
  });
}

function countOperators(logs: ChainLog[]): Entity[] {
  const certificates = logs
    .filter(({ name }) => name === "Certified" || name === "Evaluated")
    .map(({ args, timestamp }) => ({
      signers: args["signers"] as string[],
      outcome: args["outcome"],
      timestamp,
    }));
  const revocations = logs.filter(({ name }) => name === "OperatorRevoked");
  const atQuorum = revocations.filter(({ contract }) => contract === "quorum");
  const addresses = new Set([
    ...certificates.flatMap(({ signers }) => signers),
    ...revocations.map(({ args }) => String(args["operator"])),
  ]);
  return [...addresses].map((id) => {
    const own = certificates.filter(({ signers }) => signers.includes(id));
    const withOutcome = (code: bigint): number => own.filter(({ outcome }) => outcome === code).length;
    const revocation = atQuorum.find(({ args }) => args["operator"] === id);
    return {
      id,
      certificates: own.length,
      passes: withOutcome(1n),
      fails: withOutcome(2n),
      undetermined: withOutcome(3n),
      withheld: withOutcome(4n),
      firstSignedAt: own[0] === undefined ? null : String(own[0].timestamp),
      lastSignedAt: own.length === 0 ? null : String(own.at(-1)!.timestamp),
      revokedAt: revocation === undefined ? null : String(revocation.timestamp),
    };
  });
}
